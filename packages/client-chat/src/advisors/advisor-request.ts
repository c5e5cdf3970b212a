import type { CallContext, ChatResponse, Message, PendingApproval, Prompt } from '@vernal/core';

/** Values that advisors of one call share; keys are strings or `ContextKey`s. Never sent to the model. Copied on change. */
export type AdvisorContext = Readonly<Record<string, unknown>>;

/** Also a `CallContext`: `store.similaritySearch(query, request)` passes signal and parent observation (the running advisor's) on. */
export interface ChatClientRequest extends CallContext {
  readonly prompt: Prompt;
  readonly context: AdvisorContext;
}

export interface ChatClientResponse {
  readonly chatResponse?: ChatResponse;
  readonly context: AdvisorContext;
  /** Every message that this turn added, tool rounds included; what memory stores. In a stream: [] until the last chunk. */
  readonly turn: readonly Message[];
  /** Set when the turn waits for a decision. */
  readonly pendingApproval?: PendingApproval;
}

/** A changed copy; `context` is merged key by key. */
export declare function withRequest(request: ChatClientRequest, change: Partial<ChatClientRequest>): ChatClientRequest;

export declare function withResponse(
  response: ChatClientResponse,
  change: Partial<ChatClientResponse>,
): ChatClientResponse;

/** `fold` of the chat responses, contexts merged, the last `turn`. */
export declare function foldClient(chunks: AsyncIterable<ChatClientResponse>): Promise<ChatClientResponse>;

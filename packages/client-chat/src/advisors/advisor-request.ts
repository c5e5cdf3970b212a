import type { CallContext, ChatResponse, Message, PendingApproval, Prompt } from '@vernal/core';
import { fold } from '@vernal/core';

/** Values that advisors of one call share; keys are strings or `ContextKey`s. Never sent to the model. Copied on change. */
export type AdvisorContext = Readonly<Record<string, unknown>>;

/** Also a `CallContext`: `store.similaritySearch(query, request)` passes signal and parent observation (the running advisor's) on. */
export interface ChatClientRequest extends CallContext {
  readonly prompt: Prompt;
  readonly context: AdvisorContext;
  /**
   * The same object in every request of one run of a client, whatever changed in between: rounds of the tool loop, tries. The key of a
   * `WeakMap` for what an advisor keeps for a turn. Absent in requests that were made by hand.
   */
  readonly run?: TurnRun | undefined;
}

/** One run of a client. */
export interface TurnRun {
  /** It goes on with a turn that waited for a decision: the prompt has the question, the rest of the turn comes with the decision. */
  readonly resumed: boolean;
}

/** What an advisor gets back and hands out; of a stream, one chunk of it. Plain data. */
export interface ChatClientResponse {
  /** Absent when there is no answer, or when a chunk of a stream brings nothing of it. */
  readonly chatResponse?: ChatResponse | undefined;
  readonly context: AdvisorContext;
  /**
   * Every message that this turn added, in order: the prompt's new user messages, tool rounds, the answer. What memory stores. [] for a
   * turn that is not to be remembered. In a stream: [] until the last chunk.
   */
  readonly turn: readonly Message[];
  /** Set when the turn waits for a decision. */
  readonly pendingApproval?: PendingApproval | undefined;
}

/**
 * A changed copy; `context` is merged key by key.
 *
 * @example
 * withRequest(request, { prompt: request.prompt.augmentUserMessage('Hello'), context: { greeted: true } });
 */
export function withRequest(request: ChatClientRequest, change: Partial<ChatClientRequest>): ChatClientRequest {
  const { context } = change;
  if (context === undefined) return { ...request, ...change, context: request.context };
  return { ...request, ...change, context: { ...request.context, ...context } };
}

/** A changed copy; `context` is merged key by key. */
export function withResponse(response: ChatClientResponse, change: Partial<ChatClientResponse>): ChatClientResponse {
  const { context } = change;
  if (context === undefined) return { ...response, ...change, context: response.context };
  return { ...response, ...change, context: { ...response.context, ...context } };
}

/** `fold` of the chat responses, contexts merged, the last `turn` and `pendingApproval`. An error of the source is thrown. */
export async function foldClient(chunks: AsyncIterable<ChatClientResponse>): Promise<ChatClientResponse> {
  const responses: ChatResponse[] = [];
  let context: AdvisorContext = {};
  let turn: readonly Message[] = [];
  let pendingApproval: PendingApproval | undefined;
  for await (const chunk of chunks) {
    if (chunk.chatResponse !== undefined) responses.push(chunk.chatResponse);
    if (chunk.context !== context) context = { ...context, ...chunk.context };
    if (chunk.turn.length > 0) turn = chunk.turn;
    pendingApproval = chunk.pendingApproval ?? pendingApproval;
  }
  return {
    ...(responses.length > 0 && { chatResponse: await fold(responses) }),
    context,
    turn,
    ...(pendingApproval !== undefined && { pendingApproval }),
  };
}

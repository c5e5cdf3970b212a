import type { JsonValue } from '../json/json-value.js';
import type { ToolCall } from '../messages/message.js';
import type { ToolContext, ToolDefinition } from './tool-callback.js';

/** What becomes of a tool call that somebody was asked about. */
export type ApprovalDecision =
  | {
      readonly type: 'approve';
      /** JSON text in place of the model's; validated again. The history then shows what ran. */
      readonly arguments?: string;
    }
  | { readonly type: 'deny' /** Told to the model. */; readonly reason?: string }
  /** Stop here and answer later, maybe in another process. */
  | { readonly type: 'defer' };

/**
 * Asked before each call runs, once the arguments have passed the schema (tools written by hand check theirs when they run). Calls
 * of one round are asked one after another, in call order, before any of them runs. What it throws goes to the caller.
 */
export type ApproveTool = (
  call: ToolCall,
  context: ToolContext & { readonly definition: ToolDefinition; readonly input: JsonValue },
) => ApprovalDecision | Promise<ApprovalDecision>;

/**
 * A turn that waits for a person. JSON-safe; signed, so that nobody in between can change calls or messages. It holds the
 * conversation in the clear: keep it where the conversation may be kept. A signature cannot tell a first use from a second, so
 * whoever stores these removes one by its `id` when it is resumed.
 */
export interface PendingApproval {
  readonly version: 1;
  readonly id: string;
  /** The calls still to be decided, in the model's order. */
  readonly calls: readonly ToolCall[];
  /** Answers of calls of the same round that needed no decision, and the conversation: messages as `encodeMessage` writes them. */
  readonly messages: readonly string[];
  /** Advisor context entries that are JSON (the conversation id among them). */
  readonly context: Readonly<Record<string, JsonValue>>;
  /** ISO-8601 UTC. */
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** HMAC-SHA-256 over the canonical JSON of the rest, base64url. */
  readonly signature: string;
}

/** By call id. A call without an entry is 'defer'. */
export type ApprovalDecisions = Readonly<Record<string, ApprovalDecision>>;

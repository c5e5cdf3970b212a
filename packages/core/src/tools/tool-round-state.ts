import type { CallContext } from '../context/call-context.js';
import type { AssistantMessage, Message, ToolCall, ToolResponse } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { ManagerSettings } from './manager-settings.js';
import type { ToolCallback } from './tool-callback.js';

/** One round of tool calls under way. */
export interface ToolRound {
  readonly settings: ManagerSettings;
  readonly options: ChatOptions;
  readonly context: CallContext | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** The conversation, `assistant` last. */
  readonly messages: readonly Message[];
  readonly assistant: AssistantMessage;
}

/** What is to be done about one call. An 'answer' has the tool if that one gave it, in an earlier part of the round. */
export type ToolStep =
  | { readonly type: 'run'; readonly call: ToolCall; readonly tool: ToolCallback }
  | {
      readonly type: 'answer';
      readonly call: ToolCall;
      readonly response: ToolResponse;
      readonly tool?: ToolCallback | undefined;
    }
  | { readonly type: 'defer'; readonly call: ToolCall };

import type { ToolCallingManager } from '../tools/tool-calling-manager.js';
import type { ChatModel } from './chat-model.js';

/** A model that runs its tools: the same loop as `ToolCallingAdvisor`, for those without a client. */
export declare function withTools(
  model: ChatModel,
  options?: { readonly manager?: ToolCallingManager | undefined; readonly maxRounds?: number | undefined },
): ChatModel;

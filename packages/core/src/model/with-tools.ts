import type { CallContext } from '../context/call-context.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import type { ResolvedChatOptions } from '../options/chat-options.js';
import { mergeChatOptions } from '../options/merge-chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { ChatResponse } from '../responses/chat-response.js';
import { fold } from '../responses/fold.js';
import { singleUseStream } from '../streams/single-use-stream.js';
import { ToolCallingManager } from '../tools/tool-calling-manager.js';
import type { ChatModel } from './chat-model.js';
import { toolLoop } from './tool-loop.js';

/**
 * A model that runs its tools: the same loop as `ToolCallingAdvisor`, for those without a client. Tools come from the prompt's options
 * over the model's defaults; without any, calls pass straight through.
 *
 * Both modes are one loop, so `call` is the fold of `stream`: text that the model wrote before its tool calls is part of the answer.
 * Chunks come as they are made, without tool calls; usage is the sum over the rounds, each of them under `usage.rounds`.
 * The answer may end with finish reason 'return_direct' (results of tools that ask for it, one generation each), 'tool_call_limit'
 * (after `maxRounds` model calls, default 25, whose tools have all run; or by the manager's limits), both with the history so far in
 * `metadata.conversationHistory`, or 'approval' (`metadata.pendingApproval` is for `manager.resume`). An aborted signal rejects with
 * `aborted` or `timeout`.
 *
 * Throws `invalid_argument` for `maxRounds` below 1.
 *
 * @example
 * const answer = await callText(withTools(model), new Prompt('Weather in Delft?', { tools: [weather] }));
 */
export function withTools(
  model: ChatModel,
  options: { readonly manager?: ToolCallingManager | undefined; readonly maxRounds?: number | undefined } = {},
): ChatModel {
  const { manager = new ToolCallingManager(), maxRounds = 25 } = options;
  if (!(maxRounds >= 1)) throw invalidArgument('maxRounds', 'must be >= 1');
  /** The options of a call that offers tools. */
  const offering = ({ options: asked }: Prompt): ResolvedChatOptions | undefined => {
    const merged = mergeChatOptions(model.defaultOptions, asked);
    return merged.tools?.length || merged.toolNames?.length ? merged : undefined;
  };
  return {
    provider: model.provider,
    capabilities: model.capabilities,
    defaultOptions: model.defaultOptions,
    async call(prompt, context) {
      const offered = offering(prompt);
      if (offered === undefined) return model.call(prompt, context);
      const ask = (round: Prompt): AsyncIterable<ChatResponse> => whole(model, round, context);
      return fold(toolLoop({ manager, maxRounds, ask }, prompt, offered, context));
    },
    stream(prompt, context) {
      const offered = offering(prompt);
      if (offered === undefined) return model.stream(prompt, context);
      const ask = (round: Prompt): AsyncIterable<ChatResponse> => model.stream(round, context);
      return singleUseStream(() => toolLoop({ manager, maxRounds, ask }, prompt, offered, context));
    },
  };
}

async function* whole(model: ChatModel, prompt: Prompt, context: CallContext | undefined): AsyncIterable<ChatResponse> {
  yield await model.call(prompt, context);
}

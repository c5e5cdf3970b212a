import { ProtocolError } from '@modelcontextprotocol/client';
import type { ChatModel, ChatOptions, ToolCallback } from '@vernal/core';
import { Prompt } from '@vernal/core';
import type { McpHandlerContext, McpSamplingHandler } from './client-handlers.js';
import type { McpSamplingRequest } from './protocol-types.js';
import { samplingAnswer } from './sampling-answer.js';
import { samplingMessages } from './sampling-messages.js';

/** How far a server may go with your model. */
export interface ChatModelSamplingOptions {
  /**
   * Asked before the model is: a server spends your money, and may send anything as a prompt. False: the server is told that the user
   * refused. Default: every request is answered.
   */
  readonly approve?:
    | ((request: McpSamplingRequest, context: McpHandlerContext) => boolean | Promise<boolean>)
    | undefined;
  /** The most tokens of one answer, whatever the server wants. Default 4,096. */
  readonly maxTokens?: number | undefined;
  /** Model by the server's wishes (`modelPreferences`): undefined for the model's own. Default: its own. */
  readonly chooseModel?: ((request: McpSamplingRequest) => string | undefined) | undefined;
  /** Further options of each call. */
  readonly options?: ChatOptions | undefined;
}

/** What a server reads when the user did not want its request answered: a code of the protocol. */
const USER_REJECTED = -1;

/**
 * Answers what servers want of a model with a `ChatModel`. Images and audio go along as media; tools that the server sends are offered
 * to the model where it has tools, and their calls go back to the server, which runs them.
 *
 * @example
 * await connectMcp({ name: 'docs', transport, handlers: { sampling: chatModelSampling(model, { maxTokens: 500 }) } });
 */
export function chatModelSampling(model: ChatModel, options: ChatModelSamplingOptions = {}): McpSamplingHandler {
  const { approve, maxTokens = 4_096, chooseModel } = options;
  const handler: McpSamplingHandler = async (request, context) => {
    if (approve !== undefined && !(await approve(request, context)))
      throw new ProtocolError(USER_REJECTED, 'User rejected sampling request');
    const name = chooseModel?.(request);
    const { temperature, stopSequences, tools, toolChoice } = request;
    const withTools = model.capabilities.tools && tools !== undefined && tools.length > 0;
    const prompt = new Prompt(samplingMessages(request), {
      ...options.options,
      maxTokens: Math.min(request.maxTokens, maxTokens),
      ...(name === undefined ? undefined : { model: name }),
      ...(temperature === undefined ? undefined : { temperature }),
      ...(stopSequences === undefined ? undefined : { stopSequences }),
      ...(withTools ? { tools: tools.map(offered) } : undefined),
      ...(withTools && toolChoice?.mode !== undefined && model.capabilities.toolChoice
        ? { toolChoice: toolChoice.mode }
        : undefined),
    });
    const response = await model.call(prompt, { signal: context.signal });
    return samplingAnswer(response, model, name);
  };
  return Object.assign(handler, { tools: model.capabilities.tools });
}

type OfferedTool = NonNullable<McpSamplingRequest['tools']>[number];

/** Told to the model, and run by the server. */
function offered({ name, description, inputSchema }: OfferedTool): ToolCallback {
  return {
    definition: { name, description: description ?? name, inputSchema },
    metadata: { returnDirect: false },
    call: () => Promise.reject(new ProtocolError(USER_REJECTED, 'The tools of a sampling request run at the server')),
  };
}

import type { ChatResponse, Logger } from '@vernal/core';
import { safeLogger } from '@vernal/core';
import { setAdvice } from '../chain/advice.js';
import type { ChatClientRequest } from './advisor-request.js';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/**
 * Debug lines 'request' and 'response'. Contents are left out unless `content` is true, or a function of one's own puts them there.
 * Order 0, either scope: 'turn' logs once around the tool loop, 'round' each model call; a stream is logged once, whole.
 * Source: `SimpleLoggerAdvisor` of spring-ai-client-chat.
 *
 * @example
 * client.prompt('Hi').advisors(new SimpleLoggerAdvisor({ logger, scope: 'round', responseToString: responseText }));
 */
export class SimpleLoggerAdvisor extends BaseAdvisor {
  readonly name: string = 'SimpleLoggerAdvisor';

  constructor(
    options: AdvisorPlace & {
      readonly logger: Logger;
      /** Messages and answers too. Default false. */
      readonly content?: boolean | undefined;
      readonly requestToString?: ((request: ChatClientRequest) => string) | undefined;
      readonly responseToString?: ((response: ChatResponse) => string) | undefined;
    },
  ) {
    super(options);
    const { content = false, requestToString, responseToString } = options;
    const logger = safeLogger(options.logger);
    setAdvice(this, async (request, inward) => {
      logger.debug(
        'request',
        requestToString === undefined ? requestData(request, content) : { request: requestToString(request) },
      );
      const response = await inward.ask(request);
      const { chatResponse } = response;
      logger.debug(
        'response',
        responseToString === undefined || chatResponse === undefined
          ? responseData(chatResponse, content)
          : { response: responseToString(chatResponse) },
      );
      return response;
    });
  }
}

function requestData({ prompt }: ChatClientRequest, content: boolean): Record<string, unknown> {
  const { messages, options } = prompt;
  return {
    messages: content ? messages : messages.map(({ type }) => type),
    ...(options.model && { model: options.model }),
    ...(options.tools && { tools: options.tools.map(({ definition }) => definition.name) }),
  };
}

function responseData(response: ChatResponse | undefined, content: boolean): Record<string, unknown> {
  if (response === undefined) return {};
  const { results, metadata } = response;
  return {
    finishReasons: results.map((result) => result.metadata.finishReason),
    usage: metadata.usage,
    ...(metadata.model !== undefined && { model: metadata.model }),
    ...(metadata.id !== undefined && { id: metadata.id }),
    ...(content && { messages: results.map(({ output }) => output) }),
  };
}

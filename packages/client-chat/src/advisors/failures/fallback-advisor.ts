import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, LOWEST_PRECEDENCE, withRequest } from '@vernal/client-chat';
import type { ChatModel, ChatOptions } from '@vernal/core';
import { invalidArgument, overlayChatOptions, Prompt, VernalError } from '@vernal/core';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { ContentSeen } from './content-seen.js';

/**
 * Asks the next model when one fails for good (its own retries are over by then). Not after an abort or a time-out, not for a request
 * that is wrong in itself, and in a stream not once content has gone out. When all fail, the last error is thrown. Each step is a
 * warning of the client's logger.
 *
 * Options of other providers ride along unread; `model` does not: a fallback uses its own default, or the one in its `options`.
 * Order `LOWEST_PRECEDENCE`, scope 'round': advisors further in than this one are not run for the other models.
 */
export class FallbackAdvisor extends BaseAdvisor {
  readonly name: string = 'FallbackAdvisor';

  /** Throws `invalid_argument` without any model. */
  constructor(
    options: AdvisorPlace & {
      /** Asked in this order. */
      readonly models: readonly { readonly model: ChatModel; readonly options?: ChatOptions | undefined }[];
    },
  ) {
    super(options, { order: LOWEST_PRECEDENCE, scope: 'round' });
    const models = [...options.models];
    if (models.length === 0) {
      throw invalidArgument('models', 'name at least one model to fall back to');
    }
    keepAdvice(this, async (request, inward, chain) => {
      const seen = new ContentSeen();
      const filter = inward.streaming ? seen : undefined;
      let failure: unknown;
      try {
        return await inward.ask(request, filter);
      } catch (error) {
        failure = error;
      }
      for (const { model, options: own } of models) {
        if (seen.content || !mayAskAnother(failure, request)) break;
        const code = VernalError.is(failure) ? failure.code : 'unknown';
        chain.logger.warn('A model failed; the next one is asked', { next: model.provider, code });
        try {
          return await inward.askModel(model, withRequest(request, { prompt: promptFor(request.prompt, own) }), filter);
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    });
  }

  override advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    return ownAdvice(this)(request, inward, chain);
  }
}

/** Wrong with every model, or over: a consumer that left is 'aborted' without any signal. */
const NO_OTHER_MODEL: ReadonlySet<string> = new Set(['invalid_argument', 'invalid_state', 'template', 'aborted']);

function mayAskAnother(failure: unknown, { signal }: ChatClientRequest): boolean {
  return signal?.aborted !== true && !(VernalError.is(failure) && NO_OTHER_MODEL.has(failure.code));
}

function promptFor(prompt: Prompt, own: ChatOptions | undefined): Prompt {
  const { model: _, ...options } = prompt.options;
  return new Prompt(prompt.messages, overlayChatOptions(options, own));
}

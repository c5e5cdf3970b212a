import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, LOWEST_PRECEDENCE } from '@vernal/client-chat';
import type { RetryPolicy } from '@vernal/core';
import { retry } from '@vernal/core';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { ContentSeen } from './content-seen.js';

/** How often, and what is asked instead. */
export interface RetryAdvisorOptions extends AdvisorPlace {
  /** Default: that of core's `retry`, 11 tries with growing waits. A Retry-After is waited out in place of the computed delay. */
  readonly policy?: RetryPolicy | undefined;
  /**
   * The request of the next try, made of the one that failed; `attempt` counts the tries so far, from 1. Called once the policy has
   * decided to go on, before the wait.
   */
  readonly change?: ((request: ChatClientRequest, error: unknown, attempt: number) => ChatClientRequest) | undefined;
}

/** An error that comes after content is nobody's to repeat. */
type Outcome = { readonly response: ChatClientResponse } | { readonly response?: undefined; readonly error: unknown };

/**
 * Asks again when the model fails for a reason that may pass: overload, rate limits, broken connections. What is wrong in itself is not
 * repeated, nor an abort; the last error is thrown as it was. In a stream only until the first content has gone out. The request's signal
 * and its timeout end a wait at once, and so does a reader who leaves. Each repeat is a warning of the client's logger.
 *
 * Scope 'round', order `LOWEST_PRECEDENCE - 1000`: one model call is repeated, not the tools before it. Providers' SDKs may repeat by
 * themselves, too; this is for what they do not see, and for asking otherwise.
 *
 * @example
 * new RetryAdvisor({
 *   policy: { maxAttempts: 3, initialDelayMs: 200 },
 *   change: (request) => withRequest(request, { prompt: request.prompt.withOptions({ model: 'smaller' }) }),
 * });
 */
export class RetryAdvisor extends BaseAdvisor {
  readonly name: string = 'RetryAdvisor';

  constructor(options: RetryAdvisorOptions = {}) {
    super(options, { order: LOWEST_PRECEDENCE - 1000, scope: 'round' });
    const { policy, change } = options;
    keepAdvice(this, async (request, inward, chain) => {
      const seen = new ContentSeen();
      const filter = inward.streaming ? seen : undefined;
      let asked = request;
      const once = async (): Promise<Outcome> => {
        try {
          return { response: await inward.ask(asked, filter) };
        } catch (error) {
          if (!seen.content) throw error;
          return { error };
        }
      };
      const outcome = await inward.wait(request, ({ signal }) =>
        retry(once, policy, {
          signal,
          logger: chain.logger,
          onRetry: ({ attempt, error }) => {
            if (change !== undefined) asked = change(asked, error, attempt);
          },
        }),
      );
      if (outcome.response === undefined) throw outcome.error;
      return outcome.response;
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

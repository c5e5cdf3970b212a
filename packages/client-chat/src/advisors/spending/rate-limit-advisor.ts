import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, LOWEST_PRECEDENCE } from '@vernal/client-chat';
import { invalidArgument } from '@vernal/core';
import { monotonicClock, RateGate, type RateLimitClock } from '@vernal/core/adapter';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { usedTokens } from './used-tokens.js';

/** At least one of the two limits. */
export interface RateLimitAdvisorOptions extends AdvisorPlace {
  /** Model calls that may start in any 60 seconds. >= 1; a fraction is cut off. */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens, of prompt and completion, of the calls that start in any 60 seconds. > 0. */
  readonly tokensPerMinute?: number | undefined;
  /** Milliseconds that a call may wait to start; one that would wait longer is refused at once. Default: as long as it takes. */
  readonly maxWaitMs?: number | undefined;
  /** Default: the process's own. */
  readonly clock?: RateLimitClock | undefined;
}

/**
 * Lets model calls start only as fast as the limits allow; the others wait in the order they came. The signal and the timeout of a
 * request, and a reader who leaves its stream, end its wait at once. With `maxWaitMs`: `model_rate_limit`, retryable, with `retryAfterMs`,
 * so that a `RetryAdvisor` further out knows when to come again.
 *
 * What a call will use is estimated by the call before it (the first by four characters a token) and put right when its answer reports
 * usage. The limits are those of this object: share one among clients that share an account. It knows of no other process.
 *
 * Scope 'round', order `LOWEST_PRECEDENCE - 500`: each model call counts, those of the tool loop and of a `RetryAdvisor` too.
 */
export class RateLimitAdvisor extends BaseAdvisor {
  readonly name: string = 'RateLimitAdvisor';

  /** Throws `invalid_argument` without any limit, and for limits that are not above 0. */
  constructor(options: RateLimitAdvisorOptions) {
    super(options, { order: LOWEST_PRECEDENCE - 500, scope: 'round' });
    const { requestsPerMinute, tokensPerMinute, maxWaitMs, clock = monotonicClock } = options;
    if (requestsPerMinute === undefined && tokensPerMinute === undefined) {
      throw invalidArgument('requestsPerMinute', 'name a limit: requestsPerMinute, tokensPerMinute or both');
    }
    if (requestsPerMinute !== undefined && !(requestsPerMinute >= 1)) {
      throw invalidArgument('requestsPerMinute', 'must be at least 1');
    }
    if (tokensPerMinute !== undefined && !(tokensPerMinute > 0)) {
      throw invalidArgument('tokensPerMinute', 'must be above 0');
    }
    if (maxWaitMs !== undefined && !(maxWaitMs >= 0)) throw invalidArgument('maxWaitMs', 'must not be negative');
    const limits = {
      requests: Math.floor(requestsPerMinute ?? Number.POSITIVE_INFINITY),
      tokens: tokensPerMinute ?? Number.POSITIVE_INFINITY,
    };
    const gate = new RateGate(limits, clock, maxWaitMs ?? Number.POSITIVE_INFINITY);
    let lastTokens: number | undefined;
    keepAdvice(this, async (request, inward) => {
      const estimate = (): number => lastTokens ?? Math.ceil(request.prompt.contents.length / CHARACTERS_A_TOKEN);
      const passed = await inward.wait(request, ({ signal }) => gate.enter(estimate, signal));
      const response = await inward.ask(request);
      const used = usedTokens(response.chatResponse?.metadata.usage ?? {});
      if (used !== undefined) {
        passed.tokens = used;
        lastTokens = used;
      }
      return response;
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

const CHARACTERS_A_TOKEN = 4;

import type { LinkedSignal } from '../context/linked-signal.js';
import type { Logger } from '../logging/logger.js';
import type { SafeObservation } from '../observation/safe-observation.js';
import { retry } from '../retry/retry.js';
import type { RetryPolicy } from '../retry/retry-policy.js';

/** What a model's owner and its caller want around a request; undefined where they want nothing. */
export interface RequestGuards {
  readonly retry: RetryPolicy | undefined;
  readonly link: LinkedSignal | undefined;
  readonly observation: SafeObservation | undefined;
  readonly logger: Logger;
}

/** A request that is repeated by the policy, runs inside its observation, and is given up as soon as the caller's signal fires. */
export function guardedRequest<T>(
  request: () => Promise<T>,
  { retry: policy, link, observation, logger }: RequestGuards,
): Promise<T> {
  const tries = (): Promise<T> =>
    policy === undefined ? request() : retry(request, policy, { signal: link?.signal, logger });
  const running = observation === undefined ? tries() : observation.run(tries);
  return link === undefined ? running : link.race(running);
}

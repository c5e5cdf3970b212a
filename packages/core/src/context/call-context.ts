import type { Observation } from '../observation/observation.js';

/** What every call that can wait takes last. A deadline is `AbortSignal.timeout(ms)`, joined with `AbortSignal.any`. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  /** The parent of whatever observation the callee starts. */
  readonly observation?: Observation | undefined;
}

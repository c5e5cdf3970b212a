import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/** Refuses by words, at their boundaries, in what the user says now and in what the model answers. Scope 'turn'. */
export declare class SafeGuardAdvisor extends BaseAdvisor {
  readonly name: string;
  constructor(
    options: AdvisorPlace & {
      readonly sensitiveWords: readonly string[];
      /** The reply; its generation has finish reason 'blocked'. */
      readonly failureResponse?: string | undefined;
      /** Default ['input', 'output']. */
      readonly check?: readonly ('input' | 'output')[] | undefined;
    },
  );
}

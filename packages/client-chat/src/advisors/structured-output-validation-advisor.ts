import type { AnySchemaWithJson } from '@vernal/core';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/** Cleans, validates, shows the model its answer and the faults, both modes. At the end: `StructuredOutputError`. */
export declare class StructuredOutputValidationAdvisor extends BaseAdvisor {
  readonly name: string;
  constructor(
    options: AdvisorPlace & {
      readonly schema: AnySchemaWithJson /** Default 3, >= 0. */;
      readonly maxRepeats?: number | undefined;
    },
  );
}

import type { AnySchemaWithJson } from '@vernal/core';
import { invalidArgument, schemaConverter } from '@vernal/core';
import { setAdvice } from '../chain/advice.js';
import { validationAdvice } from '../chain/validation-advice.js';
import { wrappedValue } from '../chain/wrapped-value.js';
import { LOWEST_PRECEDENCE } from './advisor-order.js';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/**
 * Cleans, validates, shows the model its answer and the faults, both modes. At the end: `StructuredOutputError` with the last answer,
 * its issues, the number of attempts and the usage of all of them. Answers that call tools pass. In a stream the text goes out whole,
 * once it is valid. Order `LOWEST_PRECEDENCE - 2000`, scope 'round'. It does not ask for the format: `entity()` does, or the prompt.
 * Source: `StructuredOutputValidationAdvisor` of spring-ai-client-chat.
 */
export class StructuredOutputValidationAdvisor extends BaseAdvisor {
  readonly name: string = 'StructuredOutputValidationAdvisor';

  /** Throws `invalid_argument` for a negative number of repeats, `schema_without_json_schema` for a schema that has none. */
  constructor(
    options: AdvisorPlace & {
      readonly schema: AnySchemaWithJson;
      /** Default 3, >= 0. */
      readonly maxRepeats?: number | undefined;
    },
  ) {
    super(options, { order: LOWEST_PRECEDENCE - 2000, scope: 'round' });
    const { maxRepeats = 3 } = options;
    if (!Number.isInteger(maxRepeats) || maxRepeats < 0) {
      throw invalidArgument('maxRepeats', 'must be a whole number, at least 0');
    }
    const converter = schemaConverter(options.schema);
    setAdvice(this, validationAdvice(wrappedValue(converter)?.converter ?? converter, maxRepeats));
  }
}

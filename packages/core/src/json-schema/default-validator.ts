import { invalidArgument } from '../errors/invalid-argument.js';
import type { JsonSchema } from '../json/json-value.js';
import type { JsonSchemaValidator } from '../schema/json-schema-validator.js';
import { type Check, newRun } from './check.js';
import { compileSchema } from './compile-schema.js';

/** Left out: the standard's own defaults. */
export interface JsonSchemaValidatorOptions {
  /**
   * Checks `format` for 'date', 'date-time', 'email', 'uri' and 'uuid'. Default false: a format is only a note, as the
   * standard has it. Other formats are never checked.
   */
  readonly formats?: boolean | undefined;
  /**
   * False: `pattern` and `patternProperties` are passed over, for schemas of somebody who could write a pattern that runs for years. What
   * depends on whether one fits (below `not`, `oneOf`, `if` or `maxContains`, or `additionalProperties` beside one) is no issue then.
   * Default true.
   */
  readonly patterns?: boolean | undefined;
  /**
   * How much work one validation may be, from 1: about one step for each schema that is put to a value, and for each member, item and
   * entry of an `enum` that is looked at. A value that takes more gets an issue. Default no limit.
   */
  readonly maxSteps?: number | undefined;
}

/**
 * The small default validator: JSON Schema draft 2020-12 without `eval`, so it runs where code generation is forbidden.
 *
 * It knows every keyword that asserts something, `unevaluatedProperties` and `unevaluatedItems` included, references within the
 * document (`$ref`, `$defs`, `$anchor`, `$id`; recursion too), and of older drafts `definitions`, `dependencies` and lists under
 * `items`. Strings are measured in code points, patterns run in unicode mode, 0.3 is a multiple of 0.1. A property that is
 * undefined counts as absent. At most 100 issues are reported; their messages name the place and the rule, never the value.
 *
 * Limits: nothing is loaded, `$dynamicRef` is refused, `content*` keywords are notes, and values may nest about 800 schemas deep
 * (deeper is an issue, not a crash). A schema is compiled once and remembered; do not change it afterwards.
 *
 * `validate` throws `invalid_argument` for a schema it cannot use: an unknown `$ref`, a bad pattern, a keyword of the wrong type; for `maxSteps` below 1 when it is made.
 *
 * @example
 * ```ts
 * const City = jsonSchema<{ city: string }>(
 *   { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 *   { validator: jsonSchemaValidator() },
 * );
 * ```
 */
export function jsonSchemaValidator(options: JsonSchemaValidatorOptions = {}): JsonSchemaValidator {
  const { formats = false, patterns = true, maxSteps = Number.POSITIVE_INFINITY } = options;
  if (!(maxSteps >= 1)) throw invalidArgument('maxSteps', 'must be a number, at least 1');
  const compiled = new WeakMap<JsonSchema, Check>();
  return {
    validate(schema, value) {
      let check = compiled.get(schema);
      if (check === undefined) {
        check = compileSchema(schema, formats, patterns);
        compiled.set(schema, check);
      }
      const run = newRun(maxSteps);
      check(value, run);
      return run.givenUp === undefined ? run.issues : [run.givenUp];
    },
  };
}

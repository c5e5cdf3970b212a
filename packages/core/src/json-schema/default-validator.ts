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
 * `validate` throws `invalid_argument` for a schema it cannot use: an unknown `$ref`, a bad pattern, a keyword of the wrong type.
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
  const formats = options.formats ?? false;
  const compiled = new WeakMap<JsonSchema, Check>();
  return {
    validate(schema, value) {
      let check = compiled.get(schema);
      if (check === undefined) {
        check = compileSchema(schema, formats);
        compiled.set(schema, check);
      }
      const run = newRun();
      check(value, run);
      return run.tooDeep === undefined ? run.issues : [run.tooDeep];
    },
  };
}

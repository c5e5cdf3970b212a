import { StructuredOutputError } from '../errors/structured-output-error.js';
import type { JsonSchema } from '../json/json-value.js';
import { toJsonSchema } from '../schema/json-schema.js';
import { withoutOptionalNulls } from '../schema/optional-nulls.js';
import type { AnySchemaWithJson, InferOutput, SchemaResult } from '../schema/standard-schema.js';
import { jsonFormat } from './json-format.js';
import { misfit, parseJson } from './parse-json.js';
import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';
import { clean, plainTextCleaners, type TextCleaner } from './text-cleaner.js';

/**
 * Spring AI's BeanOutputConverter: the schema's output type, cleaned, parsed, validated. Any type may be wanted at the top: an object,
 * a list, an enum, a number. `convert` answers at once when the schema validates at once, else with a promise. A null for an optional
 * property that may not be null counts as left out: models that must name every property write it. Where a text is wanted at the top (an
 * enum of words), the answer may be the bare text.
 *
 * `convert` throws `StructuredOutputError` with the whole answer in `rawText` and every fault in `issues`: text that is no JSON, values
 * that the schema refuses, whole numbers that JavaScript would round, and infinite ones. The constructor throws
 * `schema_without_json_schema` for a schema that cannot say its JSON Schema.
 *
 * @example
 * const converter = schemaConverter(z.object({ title: z.string(), year: z.number() }));
 * const film = await converter.convert('Sure: {"title":"Volver","year":2006}');
 */
export function schemaConverter<S extends AnySchemaWithJson>(
  schema: S,
  options?: ConverterOptions,
): StructuredOutputConverter<InferOutput<S>> {
  const jsonSchema: JsonSchema = toJsonSchema(schema);
  let format: string | undefined;
  return {
    // Written when asked for: with native structured output nobody asks.
    get format() {
      format ??= jsonFormat(jsonSchema);
      return format;
    },
    jsonSchema,
    convert: (text) => {
      const read = jsonSchema['type'] === 'string' ? wordOf : parseJson;
      const json = read(text, options?.cleaners);
      const value = text.includes('null') ? withoutOptionalNulls(json, jsonSchema) : json;
      const result = schema['~standard'].validate(value);
      return isThenable(result)
        ? Promise.resolve(result).then((settled) => accepted<InferOutput<S>>(settled, text))
        : accepted<InferOutput<S>>(result, text);
    },
  };
}

/** Asked for one word of a list, models write the word and not its JSON. */
function wordOf(text: string, cleaners?: readonly TextCleaner[]): unknown {
  let value: unknown;
  try {
    value = parseJson(text, cleaners);
  } catch (error) {
    if (!StructuredOutputError.is(error)) throw error;
  }
  return typeof value === 'string' ? value : clean(text, plainTextCleaners);
}

/** Promises of another realm or library are none by class; taken for a result, one would let every value pass. */
function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

/** `validate` is typed loosely where inference counts; the Standard Schema interface says what it gives. */
function accepted<T>(result: unknown, rawText: string): T {
  const { issues, value } = result as SchemaResult<T> & { readonly value?: T };
  if (issues !== undefined) throw misfit(rawText, issues);
  return value as T;
}

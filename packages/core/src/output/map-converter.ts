import { isRecord } from '../json/json-record.js';
import { jsonFormat } from './json-format.js';
import { misfit, parseJson } from './parse-json.js';
import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';

const SCHEMA = { type: 'object', additionalProperties: true } as const;

/**
 * Any JSON object. Throws `StructuredOutputError` for any other value, for what is no JSON, and for numbers that JavaScript would round.
 * Source: `MapOutputConverter` of spring-ai-model.
 */
export function mapConverter(options?: ConverterOptions): StructuredOutputConverter<Record<string, unknown>> {
  return {
    format: jsonFormat(SCHEMA),
    jsonSchema: SCHEMA,
    convert: (text) => {
      const value = parseJson(text, options?.cleaners);
      if (isRecord(value)) return value;
      throw misfit(text, [{ message: 'Expected a JSON object' }]);
    },
  };
}

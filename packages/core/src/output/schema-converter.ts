import type { AnySchemaWithJson, InferOutput } from '../schema/standard-schema.js';
import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';

/** Spring AI's BeanOutputConverter: the schema's output type, cleaned, parsed, validated. */
export declare function schemaConverter<S extends AnySchemaWithJson>(
  schema: S,
  options?: ConverterOptions,
): StructuredOutputConverter<InferOutput<S>>;

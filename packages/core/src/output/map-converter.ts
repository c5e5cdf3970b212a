import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';

/** Any JSON object. */
export declare function mapConverter(options?: ConverterOptions): StructuredOutputConverter<Record<string, unknown>>;

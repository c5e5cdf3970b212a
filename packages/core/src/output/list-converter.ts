import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';

/** Comma-separated; quoted items may hold commas; '' is []. */
export declare function listConverter(options?: ConverterOptions): StructuredOutputConverter<string[]>;

import type { JsonSchema } from '../json/json-value.js';
import type { TextCleaner } from './text-cleaner.js';

/** Says what the model is to write, and reads it. */
export interface StructuredOutputConverter<T> {
  /** Instructions for the prompt; '' when there is nothing to say. */
  readonly format: string;
  /** For native structured output and for validation. */
  readonly jsonSchema?: JsonSchema;
  /** Throws `StructuredOutputError`. */
  convert(text: string): T | Promise<T>;
}

export interface ConverterOptions {
  /** Applied in order before parsing. Default `defaultCleaners`: white space, think tags, fences, prose around JSON, smart quotes, trailing commas. */
  readonly cleaners?: readonly TextCleaner[] | undefined;
}

import type { JsonSchema } from '../json/json-value.js';
import type { TextCleaner } from './text-cleaner.js';

/**
 * Says what the model is to write, and reads it. `schemaConverter`, `listConverter` and `mapConverter` make them; for XML, CSV or
 * anything else write the object by hand. Source: `StructuredOutputConverter` of spring-ai-model.
 *
 * @example
 * const yesOrNo: StructuredOutputConverter<boolean> = {
 *   format: 'Answer with yes or no.',
 *   convert: (text) => /^\s*yes\b/i.test(text),
 * };
 */
export interface StructuredOutputConverter<T> {
  /** Instructions for the prompt; '' when there is nothing to say. */
  readonly format: string;
  /** For native structured output and for validation. */
  readonly jsonSchema?: JsonSchema;
  /** Throws `StructuredOutputError`. */
  convert(text: string): T | Promise<T>;
}

/** What is done to an answer before it is read. */
export interface ConverterOptions {
  /**
   * Applied in order before parsing. Default `defaultCleaners`: white space, think tags, fences, prose around JSON, smart quotes, trailing
   * commas (`listConverter`: only the first three). [] reads the answer as it is.
   */
  readonly cleaners?: readonly TextCleaner[] | undefined;
}

import type { Usage } from '../responses/usage.js';
import type { SchemaIssue } from '../schema/standard-schema.js';
import { brandError, hasErrorBrand, hideField } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs the text that was no valid value; the code may be left out. */
export interface StructuredOutputErrorOptions extends CodedErrorOptions {
  readonly rawText: string;
  /** Default []. */
  readonly issues?: readonly SchemaIssue[] | undefined;
  /** Default 1. */
  readonly attempts?: number | undefined;
  /** Default {}. */
  readonly usage?: Usage | undefined;
}

/** The model's text never became a valid value. Default code `structured_output`. */
export class StructuredOutputError extends VernalError {
  /** The last answer as the model gave it. Not part of `message`, and not enumerable, so that loggers pass it over. */
  declare readonly rawText: string;
  /** Not enumerable either: a validator may quote the value it refuses. */
  declare readonly issues: readonly SchemaIssue[];
  /** Model calls made, >= 1. */
  declare readonly attempts: number;
  /** Tokens of all attempts together; {} when nobody counted. */
  declare readonly usage: Usage;

  constructor(message: string, options: StructuredOutputErrorOptions) {
    super(message, { ...options, code: options.code ?? 'structured_output' });
    brandError(this, 'StructuredOutputError');
    hideField(this, 'rawText', options.rawText);
    hideField(this, 'issues', options.issues ?? []);
    this.attempts = options.attempts ?? 1;
    this.usage = options.usage ?? {};
  }

  static override is(value: unknown): value is StructuredOutputError {
    return hasErrorBrand(value, 'StructuredOutputError');
  }
}

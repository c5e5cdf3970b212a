import type { Usage } from '../responses/usage.js';
import type { SchemaIssue } from '../schema/standard-schema.js';
import { VernalError } from './vernal-error.js';

/** The model's text never became a valid value. */
export declare class StructuredOutputError extends VernalError {
  /** The last answer as the model gave it. Not part of `message`. */
  readonly rawText: string;
  readonly issues: readonly SchemaIssue[];
  /** Model calls made, >= 1. */
  readonly attempts: number;
  readonly usage: Usage;
  static override is(value: unknown): value is StructuredOutputError;
}

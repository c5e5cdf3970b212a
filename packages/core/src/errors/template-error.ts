import { VernalError } from './vernal-error.js';

export declare class TemplateError extends VernalError {
  /** Variables that the template names and the caller did not give, in order of appearance. */
  readonly missing: readonly string[];
  /** 1-based; absent when the fault has no place. */
  readonly line?: number;
  readonly column?: number;
  static override is(value: unknown): value is TemplateError;
}

import { VernalError } from '@vernal/core';

/** 1-based place in the text that was given. Code 'filter_parse'. */
export declare class FilterParseError extends VernalError {
  readonly line: number;
  readonly column: number;
  static override is(value: unknown): value is FilterParseError;
}

import { VernalError } from '@vernal/core';

/** Where in the text, both from 1. A column is a Unicode character, whatever its length in UTF-16. */
export interface FilterPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * The text is not a filter. `line` and `column` are the 1-based place in the text that was given; `message` says what is wrong there and
 * what to write instead, and never quotes values. Code 'filter_parse'.
 *
 * Source: Spring AI `FilterExpressionTextParser.FilterExpressionParseException`.
 */
export class FilterParseError extends VernalError {
  /** Of the fault, from 1. */
  readonly line: number;
  /** Of the fault, from 1, counted in Unicode characters. */
  readonly column: number;

  constructor(message: string, place: FilterPlace) {
    super(`${message} (line ${place.line}, column ${place.column})`, {
      code: 'filter_parse',
      subject: 'filter',
      details: { line: place.line, column: place.column },
    });
    Object.defineProperty(this, 'name', { value: 'FilterParseError', configurable: true, writable: true });
    this.line = place.line;
    this.column = place.column;
  }

  /** By code, so that errors of another copy of the package are recognised. */
  static override is(value: unknown): value is FilterParseError {
    return VernalError.is(value) && value.code === 'filter_parse';
  }
}

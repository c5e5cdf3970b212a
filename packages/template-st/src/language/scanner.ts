import { TemplateError } from '@vernal/core';
import { placeOf } from './template-place.js';

/** One character each. */
export interface Delimiters {
  readonly start: string;
  readonly end: string;
}

const SPACE = /[ \t\r\n]*/y;
/** Those of StringTemplate, and letters of every script. */
const NAME = /[\p{L}\p{M}\p{N}_-]+/uy;
const INDENT = /[ \t]*/y;
const NEWLINE = /\r\n|\r|\n/y;
/** Deeper nesting than a person writes would only serve to exhaust the stack. */
const MAX_DEPTH = 100;

/** Goes through a template, character by character. */
export class Scanner {
  readonly text: string;
  readonly delimiters: Delimiters;
  at = 0;
  /** Where the placeholder begins that is being read. */
  opened: number | undefined;
  #depth = 0;

  constructor(text: string, delimiters: Delimiters) {
    this.text = text;
    this.delimiters = delimiters;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  get atLineStart(): boolean {
    return this.at === 0 || /[\r\n]/.test(this.text.charAt(this.at - 1));
  }

  looksAt(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Goes past the text if it is here. */
  take(text: string): boolean {
    if (!this.looksAt(text)) return false;
    this.at += text.length;
    return true;
  }

  expect(text: string, what: string): void {
    if (!this.take(text)) this.fail(`expected ${what}`);
  }

  skipSpace(): void {
    this.#match(SPACE);
  }

  /** '' if there is none. */
  takeName(): string {
    return this.#match(NAME);
  }

  takeIndent(): string {
    return this.#match(INDENT);
  }

  takeNewline(): string {
    return this.#match(NEWLINE);
  }

  /** Reads something that may hold its like. */
  nested<T>(read: () => T): T {
    if (this.#depth >= MAX_DEPTH) this.fail(`nested more than ${MAX_DEPTH} deep`);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Says where and what to do about it, and nothing of what the template holds. */
  fail(problem: string, at: number = this.at): never {
    const { line, column } = placeOf(this.text, at);
    const { start } = this.delimiters;
    const brace = this.opened === undefined || this.opened === at ? undefined : placeOf(this.text, this.opened);
    const which = brace === undefined ? start : `the ${start} at line ${brace.line}, column ${brace.column}`;
    throw new TemplateError(
      `The template is not valid at line ${line}, column ${column}: ${problem}; if ${which} is meant as text, write \\${start} or choose other delimiters`,
      { line, column },
    );
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}

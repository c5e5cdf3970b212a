import type { CharStream, Token, TokenSource } from 'antlr4ng';
import type { FilterPlace } from './filter-parse-error.js';

/** A token as the parser takes it. Where it stands is counted only when somebody asks, which is for errors. */
export class FilterToken implements Token {
  readonly type: number;
  /** Offsets of its first and last UTF-16 unit. */
  readonly start: number;
  readonly stop: number;
  readonly channel: number;
  readonly tokenIndex: number;
  readonly source: string;

  constructor(source: string, type: number, start: number, end: number, index: number) {
    this.source = source;
    this.type = type;
    this.start = start;
    this.stop = end - 1;
    this.channel = 0;
    this.tokenIndex = index;
  }

  get text(): string {
    return this.source.slice(this.start, this.stop + 1);
  }

  /** From 1. */
  get line(): number {
    return this.source.slice(0, this.start).split('\n').length;
  }

  /** From 0, in Unicode characters. */
  get column(): number {
    return Array.from(this.source.slice(0, this.start).split('\n').at(-1) ?? '').length;
  }

  get place(): FilterPlace {
    return { line: this.line, column: this.column + 1 };
  }

  /** The parser asks for these two only when it repairs what it reads, which this one never does. */
  get tokenSource(): TokenSource | null {
    return null;
  }

  get inputStream(): CharStream | null {
    return null;
  }
}

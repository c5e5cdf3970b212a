import type { ParserRuleContext, Token, TokenSource, TokenStream } from 'antlr4ng';
import type { FilterToken } from './filter-token.js';

/** Tokens that are all there, behind the interface of the parser: looking at the next one is looking into an array. */
export class FilterTokenStream implements TokenStream {
  readonly #tokens: readonly FilterToken[];
  #index = 0;

  /** The last token is EOF. */
  constructor(tokens: readonly FilterToken[]) {
    this.#tokens = tokens;
  }

  get index(): number {
    return this.#index;
  }

  get size(): number {
    return this.#tokens.length;
  }

  consume(): void {
    if (this.#index < this.#tokens.length - 1) this.#index++;
  }

  LT(k: number): Token | null {
    const at = k > 0 ? this.#index + k - 1 : this.#index + k;
    return this.#tokens[Math.min(at, this.#tokens.length - 1)] ?? null;
  }

  LA(k: number): number {
    return this.LT(k)?.type ?? 0;
  }

  get(index: number): Token {
    return this.#tokens[index] as FilterToken;
  }

  seek(index: number): void {
    this.#index = Math.min(index, this.#tokens.length - 1);
  }

  mark(): number {
    return 0;
  }

  release(): void {}
  setLine(): void {}
  setColumn(): void {}

  getSourceName(): string {
    return 'filter';
  }

  getText(): string {
    return this.#textOf(0, this.#tokens.length);
  }

  getTextFromInterval({ start, stop }: { readonly start: number; readonly stop: number }): string {
    return this.#textOf(start, stop + 1);
  }

  getTextFromContext({ start, stop }: ParserRuleContext): string {
    return this.getTextFromRange(start, stop);
  }

  getTextFromRange(start: Token | null, stop: Token | null): string {
    return start === null || stop === null ? '' : this.#textOf(start.tokenIndex, stop.tokenIndex + 1);
  }

  /** The parser asks a source only for tokens that it makes up when it repairs, which this one never does. */
  get tokenSource(): TokenSource {
    throw new TypeError('A stream of scanned tokens has no source');
  }

  #textOf(start: number, end: number): string {
    return this.#tokens
      .slice(start, end)
      .map(({ text }) => text)
      .join('');
  }
}

import type { ChatResponse, Generation } from '@vernal/core';
import { chatResponse } from '@vernal/core';
import type { ChunkFilter } from './advice.js';
import type { WordMatcher } from './word-matcher.js';

interface GuardedText {
  /** The last characters that went out: a word does not begin in the middle of another. */
  before: string;
  /** Not out yet: it may be the beginning of a word. */
  held: string;
}

/** Enough for one character of any kind. */
const CONTEXT = 2;

/** Lets out what cannot be part of a word any more. A word ends the stream with the given refusal. */
export class GuardFilter implements ChunkFilter {
  readonly #words: WordMatcher;
  readonly #refusal: Error;
  readonly #texts = new Map<number, GuardedText>();

  constructor(words: WordMatcher, refusal: Error) {
    this.#words = words;
    this.#refusal = refusal;
  }

  pass(chunk: ChatResponse): ChatResponse {
    if (chunk.results.every(({ output }) => output.text === '')) return chunk;
    const results = chunk.results.map((generation) => this.#guard(generation));
    return { ...chunk, results, result: results[0] };
  }

  end(): ChatResponse | undefined {
    const rest = [...this.#texts].filter(([, { held }]) => held !== '');
    for (const [, { before, held }] of rest) {
      if (this.#words.finds(before + held, before.length)) throw this.#refusal;
    }
    return rest.length === 0 ? undefined : chatResponse(rest.map(([index, { held }]) => ({ index, text: held })));
  }

  #guard(generation: Generation): Generation {
    const { index, output } = generation;
    const { before, held } = this.#texts.get(index) ?? { before: '', held: '' };
    const text = before + held + output.text;
    if (this.#words.finds(text, before.length, true)) throw this.#refusal;
    const open = Math.max(before.length, this.#words.openFrom(text));
    this.#texts.set(index, { before: text.slice(0, open).slice(-CONTEXT), held: text.slice(open) });
    return { ...generation, output: { ...output, text: text.slice(before.length, open) } };
  }
}

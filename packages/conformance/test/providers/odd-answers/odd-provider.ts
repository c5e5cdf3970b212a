import type { ChatModel, EmbeddingModel, RetryPolicy } from '@vernal/core';
import type { MockExchange } from '@vernal/testing/mock-server';

/** The same odd answer whole and as a stream; a way that a provider cannot be odd in is left out. */
export interface OddAnswer {
  readonly what: string;
  readonly call?: MockExchange;
  readonly stream?: MockExchange;
}

/** How a provider's server may be odd. */
export interface OddProvider {
  readonly name: string;
  /** Models that repeat a request as `retry` says, and by no other rule. */
  chat(url: string, retry: RetryPolicy): ChatModel;
  embedding?(url: string, retry: RetryPolicy): EmbeddingModel;
  /** The answer 'paid for', each of its counters `count`. */
  counted(count: unknown): OddAnswer;
  /** The vector [1, 2] of one text, each counter `count`. */
  countedEmbedding?(count: unknown): MockExchange;
  /** Odd, but what it means is plain. `gives` is the response, as far as it is told. */
  readonly readable: readonly (OddAnswer & { readonly gives: object })[];
  /** Nobody can say what it means. */
  readonly unreadable: readonly OddAnswer[];
  /** The vector [1, 2] of one text. */
  readonly readableEmbeddings?: Readonly<Record<string, MockExchange>>;
  readonly unreadableEmbeddings?: Readonly<Record<string, MockExchange>>;
}

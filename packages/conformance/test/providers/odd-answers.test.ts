// Answers that no server should give. A paid answer is not lost over a counter; what is plain is read; and a shape that cannot be read
// is no failure of the connection, so that nobody asks again for the same.
import { type ChatModel, type ChatResponse, fold, ModelError, Prompt } from '@vernal/core';
import { type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { ANTHROPIC } from './odd-answers/anthropic.js';
import type { OddProvider } from './odd-answers/odd-provider.js';
import { OLLAMA } from './odd-answers/ollama.js';
import { OPEN_AI } from './odd-answers/open-ai.js';

const PROVIDERS: readonly OddProvider[] = [OPEN_AI, ANTHROPIC, OLLAMA];

const RETRY = { maxAttempts: 3, initialDelayMs: 0 };
const NO_COUNTS: readonly (readonly [string, unknown])[] = [
  ['negative', -1],
  ['a fraction', 1.5],
  ['a text', '12'],
  ['an object', { n: 1 }],
  ['a list', [1]],
  ['true', true],
  ['null', null],
  ['too large to count', 1e300],
];

type Way = 'call' | 'stream';

const ASK: Readonly<Record<Way, (model: ChatModel) => Promise<ChatResponse>>> = {
  call: (model) => model.call(new Prompt('q')),
  stream: (model) => fold(model.stream(new Prompt('q'))),
};

/** Serves one exchange again and again, and tells how often it was asked for. */
async function served<T>(
  exchange: MockExchange,
  use: (url: string) => Promise<T>,
): Promise<{ value: T; asked: number }> {
  await using server = await startMockServer((request, position) =>
    typeof exchange === 'function' ? exchange(request, position) : exchange,
  );
  return { value: await use(server.url), asked: server.requests.length };
}

const errorOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Each row in each way in which it can happen. */
function ways<Row extends { readonly what: string }>(
  rows: readonly (Row & { readonly call?: MockExchange; readonly stream?: MockExchange })[],
): [string, Way, MockExchange, Row][] {
  return rows.flatMap((row) =>
    (['call', 'stream'] as const).flatMap((way): [string, Way, MockExchange, Row][] => {
      const exchange = row[way];
      return exchange === undefined ? [] : [[row.what, way, exchange, row]];
    }),
  );
}

function expectUnreadable(error: unknown, provider: string): void {
  expect(ModelError.is(error)).toBe(true);
  expect(error).toMatchObject({ provider, retryable: false });
  expect((error as ModelError).code).toMatch(/^model_(?:error|stream_interrupted)$/);
  expect(String(error)).not.toMatch(/cannot be reached|try again/);
}

describe.each(PROVIDERS)('$name', (provider) => {
  describe.each(NO_COUNTS)('a counter that is %s', (_, count) => {
    it.each(ways([provider.counted(count)]))('%s is left out of the %s', async (_what, way, exchange) => {
      const { value } = await served(exchange, (url) => ASK[way](provider.chat(url, RETRY)));
      expect(value.result?.output.text).toBe('paid for');
      const { native: _native, ...counters } = value.metadata.usage;
      expect(counters).toEqual({});
    });

    const noEmbeddings = provider.countedEmbedding === undefined ? ' (skipped: the provider has no such models)' : '';
    it.skipIf(provider.countedEmbedding === undefined)(`is left out of embeddings${noEmbeddings}`, async () => {
      const { value } = await served(provider.countedEmbedding?.(count) ?? { drop: true }, async (url) =>
        provider.embedding?.(url, RETRY).call({ inputs: ['a'] }),
      );
      expect(Array.from(value?.embeddings[0]?.vector ?? [])).toEqual([1, 2]);
      const { native: _native, ...counters } = value?.metadata.usage ?? {};
      expect(counters).toEqual({});
    });
  });

  it.each(ways(provider.readable))('reads %s in a %s', async (_, way, exchange, { gives }) => {
    const { value } = await served(exchange, (url) => ASK[way](provider.chat(url, RETRY)));
    expect(value).toMatchObject(gives);
  });

  it.each(ways(provider.unreadable))('says of %s in a %s that it cannot be read, once', async (_, way, exchange) => {
    const { value, asked } = await served(exchange, (url) => errorOf(ASK[way](provider.chat(url, RETRY))));
    expectUnreadable(value, provider.chat('http://127.0.0.1:1', RETRY).provider);
    expect(asked).toBe(1);
  });

  it.each(Object.entries(provider.readableEmbeddings ?? {}))('reads embeddings: %s', async (_, exchange) => {
    const { value } = await served(exchange, async (url) => provider.embedding?.(url, RETRY).embed(['a']));
    expect(Array.from(value?.[0] ?? [])).toEqual([1, 2]);
  });

  it.each(Object.entries(provider.unreadableEmbeddings ?? {}))('cannot read embeddings: %s', async (_, exchange) => {
    const { value, asked } = await served(exchange, async (url) =>
      errorOf(provider.embedding?.(url, RETRY).embed(['a']) ?? Promise.resolve()),
    );
    expectUnreadable(value, provider.chat('http://127.0.0.1:1', RETRY).provider);
    expect(asked).toBe(1);
  });
});

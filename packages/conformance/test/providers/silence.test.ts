// What counts as the server's silence, to the millisecond: a clock by hand, and bodies that ignore every signal.
import { Prompt, responseText } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel, OllamaEmbeddingModel } from '@vernal/model-ollama';
import { OpenAiChatModel, OpenAiEmbeddingModel } from '@vernal/model-openai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const prompt = new Prompt('q');
const late = { code: 'timeout', subject: 'timeoutMs', retryable: true };
const baseURL = 'http://127.0.0.1:9';

/** A server's answer, written by hand. */
class Answer {
  readonly #body = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 16 }, { highWaterMark: 16 });
  readonly #writer = this.#body.writable.getWriter();
  #begin: (response: Response) => void = () => undefined;
  #signal: AbortSignal | null | undefined;
  readonly fetch: typeof globalThis.fetch = (_, init) => {
    this.#signal = init?.signal;
    return new Promise((resolve) => {
      this.#begin = resolve;
    });
  };

  /** Whether the connection was to be closed. */
  get left(): boolean {
    return this.#signal?.aborted ?? false;
  }

  begin(type: string): void {
    this.#begin(new Response(this.#body.readable, { headers: { 'content-type': type } }));
  }

  write(text: string): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(text));
  }
}

const event = (data: { readonly type?: string }): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

const STREAMS = [
  {
    name: 'OpenAI',
    model: (fetch: typeof globalThis.fetch) => new OpenAiChatModel({ baseURL, fetch, maxRetries: 0, timeoutMs: 100 }),
    type: 'text/event-stream',
    text: event({ choices: [{ index: 0, delta: { content: 'a' } }] } as object),
    sign: ': still thinking\n\n',
  },
  {
    name: 'Anthropic',
    model: (fetch: typeof globalThis.fetch) =>
      new AnthropicChatModel({ baseURL, fetch, maxRetries: 0, timeoutMs: 100 }),
    type: 'text/event-stream',
    text: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } } as object),
    sign: event({ type: 'ping' }),
  },
  {
    name: 'Ollama',
    model: (fetch: typeof globalThis.fetch) =>
      new OllamaChatModel({ baseURL, fetch, timeoutMs: 100, defaultOptions: { model: 'm' } }),
    type: 'application/x-ndjson',
    text: `${JSON.stringify({ message: { role: 'assistant', content: 'a' } })}\n`,
    sign: '\n',
  },
];

describe.each(STREAMS)('a stream of $name', ({ model, type, text, sign }) => {
  it('goes on for longer than its time while the server gives any sign, and ends once it gives none', async () => {
    const answer = new Answer();
    let said = '';
    let error: unknown;
    const reading = (async () => {
      for await (const chunk of model(answer.fetch).stream(prompt)) said += responseText(chunk) ?? '';
    })().catch((thrown: unknown) => {
      error = thrown;
    });
    await vi.advanceTimersByTimeAsync(90);
    answer.begin(type);
    for (const piece of [text, sign, sign, text, sign]) {
      await vi.advanceTimersByTimeAsync(90);
      await answer.write(piece);
    }
    await vi.advanceTimersByTimeAsync(90);
    expect([said, error, answer.left]).toEqual(['aa', undefined, false]);
    await vi.advanceTimersByTimeAsync(11);
    await reading;
    expect([error, answer.left]).toMatchObject([late, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not count its reader's own time", async () => {
    const answer = new Answer();
    const chunks = model(answer.fetch).stream(prompt)[Symbol.asyncIterator]();
    const first = chunks.next();
    await vi.advanceTimersByTimeAsync(1);
    answer.begin(type);
    await vi.advanceTimersByTimeAsync(1);
    await answer.write(text);
    expect((await first).done).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answer.left).toBe(false);
    // Nothing wakes the process while nobody reads.
    expect(vi.getTimerCount()).toBe(0);
    const second = chunks.next();
    await vi.advanceTimersByTimeAsync(90);
    await answer.write(text);
    expect((await second).done).toBe(false);
    await chunks.return?.();
    expect(vi.getTimerCount()).toBe(0);
  });
});

const CALLS = [
  ...STREAMS.map(({ name, model }) => ({
    name,
    call: (fetch: typeof globalThis.fetch): Promise<unknown> => model(fetch).call(prompt),
  })),
  {
    name: 'OpenAI, for embeddings',
    call: (fetch: typeof globalThis.fetch): Promise<unknown> =>
      new OpenAiEmbeddingModel({ baseURL, fetch, maxRetries: 0, timeoutMs: 100 }).embed(['a']),
  },
  {
    name: 'Ollama, for embeddings',
    call: (fetch: typeof globalThis.fetch): Promise<unknown> =>
      new OllamaEmbeddingModel({ baseURL, fetch, timeoutMs: 100, defaultOptions: { model: 'm' } }).embed(['a']),
  },
];

it.each(CALLS)('a call of $name has one time for headers and body, whatever trickles in', async ({ call }) => {
  const answer = new Answer();
  let error: unknown;
  const called = call(answer.fetch).catch((thrown: unknown) => {
    error = thrown;
  });
  await vi.advanceTimersByTimeAsync(60);
  answer.begin('application/json');
  await vi.advanceTimersByTimeAsync(20);
  await answer.write('{');
  await vi.advanceTimersByTimeAsync(19);
  await answer.write(' ');
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2);
  await called;
  expect([error, answer.left]).toMatchObject([late, true]);
  expect(vi.getTimerCount()).toBe(0);
});

import { BaseChatModel, type ChatResponse, chatResponse, type ModelRequest, Prompt, TEXT_ONLY } from '@vernal/core';
import { expect, it } from 'vitest';

/** Gives one chunk, then waits for a second one until its signal fires. */
class Hanging extends BaseChatModel {
  readonly provider = 'hanging';
  readonly capabilities = TEXT_ONLY;
  open = 0;

  protected async *doStream({ signal }: ModelRequest): AsyncIterable<ChatResponse> {
    this.open++;
    try {
      yield chatResponse('a');
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    } finally {
      this.open--;
    }
  }
}

const retry = { maxAttempts: 3, initialDelayMs: 3_600_000 };

it.each([
  ['alone', undefined],
  ['with a signal', { signal: new AbortController().signal }],
])('a reader who turns away while a chunk is awaited is not held up, %s', async (_, context) => {
  const model = new Hanging();
  const chunks = model.stream(new Prompt('x'), context)[Symbol.asyncIterator]();
  await chunks.next();
  const second = chunks.next();
  await chunks.return?.();
  expect(await second).toEqual({ done: true, value: undefined });
  expect(model.open).toBe(0);
  expect(await chunks.next()).toMatchObject({ done: true });
});

it('nor is one who turns away between two tries', async () => {
  let tries = 0;
  class Failing extends BaseChatModel {
    readonly provider = 'failing';
    readonly capabilities = TEXT_ONLY;
    // biome-ignore lint/correctness/useYield: it fails before it has anything to say
    protected async *doStream(): AsyncIterable<ChatResponse> {
      tries++;
      throw Object.assign(new Error('busy'), { status: 503 });
    }
  }
  const chunks = new Failing({ retry }).stream(new Prompt('x'))[Symbol.asyncIterator]();
  const first = chunks.next();
  await Promise.resolve();
  await chunks.return?.();
  expect(await first).toEqual({ done: true, value: undefined });
  expect(tries).toBe(1);
});

import { bodyChunks } from '@vernal/core';
import { describe, expect, it } from 'vitest';

function bodyOf(
  pieces: readonly number[],
  fault?: Error,
): { stream: ReadableStream<Uint8Array>; cancelled: () => number } {
  let cancelled = 0;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at++];
      if (piece !== undefined) controller.enqueue(Uint8Array.of(piece));
      else if (fault === undefined) controller.close();
      else controller.error(fault);
    },
    cancel() {
      cancelled++;
    },
  });
  return { stream, cancelled: () => cancelled };
}

async function collect(stream: ReadableStream<Uint8Array> | null): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of bodyChunks(stream)) bytes.push(...chunk);
  return bytes;
}

describe.each([
  ['that can be iterated', true],
  ['that only has readers', false],
])('bodyChunks of a body %s', (_, iterable) => {
  function body(...given: Parameters<typeof bodyOf>): ReturnType<typeof bodyOf> {
    const made = bodyOf(...given);
    if (!iterable) Object.defineProperty(made.stream, Symbol.asyncIterator, { value: undefined });
    return made;
  }

  it('gives all there is and lets the body go', async () => {
    const { stream, cancelled } = body([1, 2, 3]);
    expect(await collect(stream)).toEqual([1, 2, 3]);
    expect(stream.locked).toBe(false);
    expect(cancelled()).toBe(0);
    expect(await collect(null)).toEqual([]);
  });

  it('cancels the body when the loop is left', async () => {
    const { stream, cancelled } = body([1, 2, 3]);
    for await (const chunk of bodyChunks(stream)) {
      expect([...chunk]).toEqual([1]);
      break;
    }
    expect(cancelled()).toBe(1);
    expect(stream.locked).toBe(false);
  });

  it('lets a body go that failed while the loop was left', async () => {
    let fail = (): void => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Uint8Array.of(1));
        fail = () => controller.error(new Error('aborted'));
      },
    });
    if (!iterable) Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
    for await (const _ of bodyChunks(stream)) {
      fail();
      break;
    }
    expect(stream.locked).toBe(false);
  });

  it('throws what the body fails with', async () => {
    const fault = new Error('reset');
    const { stream } = body([1], fault);
    await expect(collect(stream)).rejects.toBe(fault);
    expect(stream.locked).toBe(false);
  });
});

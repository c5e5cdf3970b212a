import { bodyChunks } from '@vernal/core';
import { describe, expect, it } from 'vitest';

function body(
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

describe('bodyChunks', () => {
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

  it('throws what the body fails with', async () => {
    const fault = new Error('reset');
    const { stream } = body([1], fault);
    await expect(collect(stream)).rejects.toBe(fault);
    expect(stream.locked).toBe(false);
  });
});

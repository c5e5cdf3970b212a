import { type ChatResponse, chatResponse, foldTap } from '@vernal/core';
import { expect, it } from 'vitest';

it('a source that failed has no end to tell of, however often it is asked again', async () => {
  async function* source(): AsyncGenerator<ChatResponse> {
    yield chatResponse('a');
    throw new Error('reset');
  }
  let done = 0;
  const chunks = foldTap(source(), () => void done++)[Symbol.asyncIterator]();
  await chunks.next();
  await expect(chunks.next()).rejects.toThrow('reset');
  expect(await chunks.next()).toMatchObject({ done: true });
  expect(done).toBe(0);
});

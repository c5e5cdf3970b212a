import { Prompt } from '@vernal/core';
import { query, RewriteQueryTransformer } from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { record } from '../src/record.js';
import { RecordedChatModel } from '../src/recorded-chat-model.js';

describe('recorded answers', () => {
  it('are given again to the parts that asked', async () => {
    const model = new ScriptedChatModel([
      'rewritten a',
      'rewritten b',
      ...Array.from({ length: 4 }, (_, i) => `v${i}`),
    ]);
    const seen: number[] = [];
    const recording = await record(model, 'small', ['a', 'b'], { onProgress: (done) => seen.push(done) });
    model.assertComplete();
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(recording).toMatchObject({
      model: 'small',
      rewrite: { a: 'rewritten a', b: 'rewritten b' },
      variants: { a: 'v0', b: 'v1', 'rewritten a': 'v2', 'rewritten b': 'v3' },
    });
    const transformer = new RewriteQueryTransformer({ model: new RecordedChatModel('small', recording.rewrite) });
    expect((await transformer.transform(query('b'))).text).toBe('rewritten b');
  });

  it('say so where there is none, whatever the name of the query', async () => {
    const model = new RecordedChatModel('small', { a: 'b' });
    for (const asked of ['c', 'constructor', '__proto__'])
      await expect(model.call(new Prompt(`<query>\n${asked}\n</query>`))).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('--record'),
      });
  });

  it('end with the signal', async () => {
    const model = new ScriptedChatModel(['x']);
    await expect(record(model, 'small', ['a'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

// A long-term memory whose store fails or hangs, and turns that end before their time.
import { getEventListeners } from 'node:events';
import type { VectorStoreChatMemoryAdvisorOptions } from '@vernal/advisors-vector-store';
import { VectorStoreChatMemoryAdvisor } from '@vernal/advisors-vector-store';
import type { ChatClientRequestSpec } from '@vernal/client-chat';
import { ToolCallingAdvisor } from '@vernal/client-chat';
import type { CallContext, Document } from '@vernal/core';
import { ToolCallingManager, tool, VernalError } from '@vernal/core';
import { RecordingObservationRegistry, ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { answer, clientOf, FACES, textOf, Warnings } from './answering.js';
import { never, WatchedStore } from './watched-store.js';

const down = new VernalError('secret host is down', { code: 'store_read', retryable: true });

function remembering(steps: readonly ScriptStep[], options: Partial<VectorStoreChatMemoryAdvisorOptions> = {}) {
  const vectorStore = new WatchedStore();
  const logger = new Warnings();
  const observationRegistry = new RecordingObservationRegistry();
  const model = new ScriptedChatModel(steps);
  const advisor = new VectorStoreChatMemoryAdvisor({ vectorStore, ...options });
  const client = clientOf(model, [advisor], { logger, observationRegistry });
  const events = (): unknown[] =>
    observationRegistry.observations.find(({ name }) => name === advisor.name)?.events.slice() ?? [];
  const ask = (text: string): ChatClientRequestSpec => client.prompt(text).conversation('c');
  return { vectorStore, model, client, ask, logger, observationRegistry, events };
}

function shapes(documents: readonly Document[]): string[] {
  return documents.map(
    ({ text, metadata }) =>
      `${metadata['messageType']}: ${text}${metadata['cancelled'] === true ? ' (cancelled)' : ''}`,
  );
}

/** Everything that can go on without time passing has gone on. */
async function settled(): Promise<void> {
  for (let i = 0; i < 200; i++) await Promise.resolve();
}

describe.each(FACES)('a store that is down, by %s', (face) => {
  it('when it is searched: the turn goes on, and is written', async () => {
    const { vectorStore, ask, logger, events, observationRegistry } = remembering(['a']);
    vectorStore.beforeSearch = () => Promise.reject(down);
    expect(await textOf(ask('q'), face)).toBe('a');
    expect(logger.lines.map(({ data }) => data)).toEqual([{ code: 'store_read' }]);
    expect(JSON.stringify(logger.lines)).not.toContain('secret');
    expect(events()).toEqual([{ name: 'memory_degraded', data: { code: 'store_read' } }]);
    expect(shapes(await vectorStore.all())).toEqual(['user: q', 'assistant: a']);
    observationRegistry.assertAllStopped();
  });

  it('when it is searched and must not be: the turn ends, and its question is not lost', async () => {
    const { vectorStore, ask, model } = remembering([], { onError: 'throw' });
    vectorStore.beforeSearch = () => Promise.reject(down);
    await expect(textOf(ask('q'), face)).rejects.toBe(down);
    expect(model.prompts).toEqual([]);
    expect(shapes(await vectorStore.all())).toEqual(['user: q (cancelled)']);
  });

  it.each(['filter_parse', 'filter_invalid', 'invalid_argument', 'unsupported_capability'])(
    'is another thing than %s, which always ends the turn',
    async (code) => {
      const { vectorStore, ask } = remembering([]);
      vectorStore.beforeSearch = () => Promise.reject(new VernalError('wrong', { code }));
      await expect(textOf(ask('q'), face)).rejects.toMatchObject({ code });
    },
  );

  it('when it is written: the answer is there, whole, with a warning', async () => {
    const { vectorStore, ask, logger, observationRegistry } = remembering(['one two three']);
    vectorStore.beforeAdd = () => Promise.reject(down);
    expect(await textOf(ask('q'), face)).toBe('one two three');
    expect(vectorStore.adds).toHaveLength(1);
    expect(logger.lines).toEqual([
      {
        message: 'A turn could not be put into the long-term memory',
        data: { conversationId: 'c', code: 'store_read' },
      },
    ]);
    observationRegistry.assertAllStopped();
  });

  it('when it does not come to an end of a write: the answer is there after writeTimeoutMs', async () => {
    const { vectorStore, ask, logger } = remembering(['a'], { writeTimeoutMs: 5 });
    let seen: AbortSignal | undefined;
    vectorStore.beforeAdd = (context) => {
      seen = context?.signal;
      return never();
    };
    expect(await textOf(ask('q'), face)).toBe('a');
    expect(seen?.aborted).toBe(true);
    expect(logger.lines.map(({ data }) => data)).toEqual([{ conversationId: 'c', code: 'timeout' }]);
  });

  it('when no filter is given that is required: nothing is searched', async () => {
    const { vectorStore, ask } = remembering([], { requiredFilter: () => undefined });
    await expect(textOf(ask('q'), face)).rejects.toMatchObject({ code: 'filter_invalid' });
    expect(vectorStore.searches).toEqual([]);
  });
});

it('a stream has gone out whole when the write fails', async () => {
  const { vectorStore, ask } = remembering(['one two three']);
  let failed = false;
  vectorStore.beforeAdd = async () => {
    failed = true;
    throw down;
  };
  const chunks: string[] = [];
  for await (const text of ask('q').stream().content()) {
    expect(failed).toBe(false);
    chunks.push(text);
  }
  expect(chunks.join('')).toBe('one two three');
  expect(failed).toBe(true);
});

describe.each(FACES)('an abort, by %s', (face) => {
  it('in the middle of the search ends the turn at once, whatever the store does', async () => {
    const { vectorStore, ask, logger, observationRegistry } = remembering([]);
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    vectorStore.beforeSearch = (context) => {
      seen = context?.signal;
      controller.abort();
      return never();
    };
    // The store does not write either: whoever aborts does not wait for it.
    vectorStore.beforeAdd = never;
    await expect(textOf(ask('q').signal(controller.signal), face)).rejects.toMatchObject({ code: 'aborted' });
    expect(seen?.aborted).toBe(true);
    expect(logger.lines).toEqual([]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    observationRegistry.assertAllStopped();
  });

  it('in the middle of the write loses neither the answer nor the turn', async () => {
    const { vectorStore, ask, logger } = remembering(['a']);
    const controller = new AbortController();
    vectorStore.beforeAdd = async () => controller.abort();
    expect(await textOf(ask('q').signal(controller.signal), face)).toBe('a');
    expect(shapes(await vectorStore.all())).toEqual(['user: q', 'assistant: a']);
    expect(logger.lines).toEqual([]);
  });

  it('before anything began asks nobody', async () => {
    const { ask, model } = remembering([]);
    await expect(textOf(ask('q').signal(AbortSignal.abort()), face)).rejects.toMatchObject({ code: 'aborted' });
    expect(model.prompts).toEqual([]);
  });
});

describe('a turn that ends before its time', () => {
  const broken: ScriptStep = { text: 'I think so', error: new Error('500'), afterChunks: 2 };

  it('is remembered as far as it came when the model fails', async () => {
    const { vectorStore, ask } = remembering([broken]);
    await expect(textOf(ask('q'), 'stream')).rejects.toThrow('500');
    expect(vectorStore.adds).toHaveLength(1);
    expect(shapes(await vectorStore.all())).toEqual(['user: q (cancelled)', 'assistant: I think (cancelled)']);
  });

  it('is remembered as a question without an answer when nothing came', async () => {
    const { vectorStore, ask } = remembering([{ error: new Error('500') }]);
    await expect(textOf(ask('q'))).rejects.toThrow('500');
    expect(shapes(await vectorStore.all())).toEqual(['user: q (cancelled)']);
  });

  it('is remembered as far as it was read when the reader leaves', async () => {
    const { vectorStore, ask } = remembering(['one two three']);
    for await (const text of ask('q').stream().content()) if (text.includes('two')) break;
    expect(shapes(await vectorStore.all())).toEqual(['user: q (cancelled)', 'assistant: one two (cancelled)']);
  });

  it('tells a later turn that it was cut', async () => {
    const { ask, model } = remembering([broken, 'ok']);
    await textOf(ask('Does it rain?'), 'stream').catch(() => {});
    await textOf(ask('Well, does it rain?'));
    expect(model.prompts[1]?.systemMessage.text).toMatch(
      /<memory-entry type="user" time="[^"]+" cancelled="true">Does it rain\?</,
    );
  });

  it('loses nothing of the error when it cannot be written', async () => {
    const { vectorStore, ask, logger } = remembering([broken]);
    vectorStore.beforeAdd = () => Promise.reject(down);
    await expect(textOf(ask('q'), 'stream')).rejects.toThrow('500');
    expect(logger.lines).toHaveLength(1);
  });

  it('lets the reader go at once while the store is searched', async () => {
    const { vectorStore, ask } = remembering([]);
    const started = new Promise<CallContext | undefined>((resolve) => {
      vectorStore.beforeSearch = (context) => {
        resolve(context);
        return never();
      };
    });
    const reader = ask('q').stream().content()[Symbol.asyncIterator]();
    const first = reader.next();
    const context = await started;
    await reader.return?.();
    await first;
    expect(context?.signal?.aborted).toBe(true);
    await settled();
    expect(shapes(await vectorStore.all())).toEqual(['user: q (cancelled)']);
  });
});

it('a turn that waits for a decision is written when it has ended, and is told no more than before', async () => {
  const vectorStore = new WatchedStore();
  const model = new ScriptedChatModel(['Yes.', { toolCalls: [{ name: 'send', arguments: {} }] }, 'Sent.']);
  const manager = new ToolCallingManager({
    approve: () => ({ type: 'defer' }),
    approvalKey: new Uint8Array(32).fill(7),
  });
  const client = clientOf(model, [
    new VectorStoreChatMemoryAdvisor({ vectorStore }),
    new ToolCallingAdvisor({ manager }),
  ]);
  const send = tool({ name: 'send', execute: () => 'ok' });
  await client.prompt('Is the letter written?').conversation('c').call().content();
  const { pendingApproval } = await answer(client.prompt('Send the letter').conversation('c').tools(send));
  expect(vectorStore.adds).toHaveLength(1);
  if (pendingApproval === undefined) throw new Error('it should wait');
  const waited = JSON.parse(JSON.stringify(pendingApproval));
  expect(await textOf(client.resume(waited, { call_1: { type: 'approve' } }).tools(send))).toBe('Sent.');
  expect(vectorStore.searches).toHaveLength(2);
  expect(model.prompts[2]?.systemMessage.text.match(/Is the letter written/g)).toHaveLength(1);
  expect(shapes(vectorStore.adds[1] ?? [])).toEqual(['user: Send the letter', 'assistant: Sent.']);
});

it('what was found is counted on the observation, and nothing of it is told', async () => {
  const { ask, events, observationRegistry } = remembering(['a']);
  await textOf(ask('q'));
  expect(events()).toEqual([{ name: 'memory_found', data: { count: 0 } }]);
  observationRegistry.assertAllStopped();
});

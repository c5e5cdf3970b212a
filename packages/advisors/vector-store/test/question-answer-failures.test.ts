import { QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ToolCallingAdvisor } from '@vernal/client-chat';
import type { CallContext } from '@vernal/core';
import { contextValue, document, ToolCallingManager, tool, VernalError } from '@vernal/core';
import { RAG_DEGRADATIONS, RetrievalAugmentationAdvisor } from '@vernal/rag';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { answer, clientOf, FACES, Warnings } from './answering.js';
import { never, WatchedStore } from './watched-store.js';

const down = new VernalError('secret host is down', { code: 'store_read', retryable: true });
const faq = document({ id: 'f', text: 'Returns are free.' });

function failing(): WatchedStore {
  const vectorStore = new WatchedStore();
  vectorStore.beforeSearch = () => Promise.reject(down);
  return vectorStore;
}

describe.each(FACES)('QuestionAnswerAdvisor over a store that is down, by %s', (face) => {
  it('ends the turn with the error of the store, and does not ask the model', async () => {
    const model = new ScriptedChatModel([]);
    const client = clientOf(model, [new QuestionAnswerAdvisor({ vectorStore: failing() })]);
    await expect(answer(client.prompt('q'), face)).rejects.toBe(down);
    expect(model.prompts).toHaveLength(0);
  });

  it('asks without documents when it is told to, and says so to the model and to the caller', async () => {
    const logger = new Warnings();
    const observationRegistry = new RecordingObservationRegistry();
    const model = new ScriptedChatModel(['I cannot look that up.']);
    const advisor = new QuestionAnswerAdvisor({ vectorStore: failing(), onError: 'degrade' });
    const client = clientOf(model, [advisor], { logger, observationRegistry });
    const response = await answer(client.prompt('Are returns free?'), face);
    const text = model.prompts[0]?.userMessage.text ?? '';
    expect(text).toContain('could not be searched');
    expect(text).not.toContain('No documents were found');
    expect(text.endsWith('Question: Are returns free?')).toBe(true);
    const told = { step: 'retrieve', index: 0, name: 'QuestionAnswerAdvisor', code: 'store_read' };
    expect(response.context[RAG_DEGRADATIONS]).toEqual([{ ...told, times: 1 }]);
    expect(response.chatResponse?.metadata[RAG_DEGRADATIONS]).toEqual([{ ...told, times: 1 }]);
    expect(response.chatResponse?.metadata[QA_RETRIEVED_DOCUMENTS]).toEqual([]);
    expect(logger.lines.map(({ data }) => data)).toEqual([told]);
    const own = observationRegistry.observations.find(({ name }) => name === 'QuestionAnswerAdvisor');
    expect(own?.events).toEqual([{ name: 'rag_degraded', data: told }]);
    expect(observationRegistry.observations.find(({ kind }) => kind === 'rag')?.error).toBe(down);
    observationRegistry.assertAllStopped();
    expect(JSON.stringify([logger.lines, text])).not.toContain('secret');
  });

  it('adds its failure to those of other retrievers', async () => {
    const half = new RetrievalAugmentationAdvisor({ documentRetriever: [() => Promise.reject(down), () => [faq]] });
    const own = new QuestionAnswerAdvisor({ vectorStore: failing(), onError: 'degrade' });
    const { context } = await answer(clientOf(new ScriptedChatModel(['a']), [own, half]).prompt('q'), face);
    expect((contextValue(context, RAG_DEGRADATIONS) ?? []).map(({ name, code }) => [name, code])).toEqual([
      ['retrieve', 'store_read'],
      ['QuestionAnswerAdvisor', 'store_read'],
    ]);
  });

  it('says nothing of failures when there are none', async () => {
    const vectorStore = new WatchedStore();
    const advisor = new QuestionAnswerAdvisor({ vectorStore, onError: 'degrade' });
    const response = await answer(clientOf(new ScriptedChatModel(['a']), [advisor]).prompt('q'), face);
    expect(response.context).not.toHaveProperty(RAG_DEGRADATIONS);
  });

  it('ends at once when it is aborted in the middle of the search, and does not take that for a failure', async () => {
    const controller = new AbortController();
    const vectorStore = new WatchedStore();
    let seen: AbortSignal | undefined;
    vectorStore.beforeSearch = (context) => {
      seen = context?.signal;
      controller.abort();
      return never();
    };
    const logger = new Warnings();
    const observationRegistry = new RecordingObservationRegistry();
    const advisor = new QuestionAnswerAdvisor({ vectorStore, onError: 'degrade' });
    const client = clientOf(new ScriptedChatModel([]), [advisor], { logger, observationRegistry });
    await expect(answer(client.prompt('q').signal(controller.signal), face)).rejects.toMatchObject({ code: 'aborted' });
    expect(seen?.aborted).toBe(true);
    expect(logger.lines).toEqual([]);
    const step = observationRegistry.observations.find(({ kind }) => kind === 'rag');
    expect([step?.events, step?.error]).toEqual([[{ name: 'cancelled' }], undefined]);
    observationRegistry.assertAllStopped();
  });

  it('goes on with the documents it had when the turn waited for a decision', async () => {
    const vectorStore = new WatchedStore();
    await vectorStore.inner.add([faq]);
    const act = tool({ name: 'act', execute: () => 'done' });
    const model = new ScriptedChatModel([{ toolCalls: [{ name: 'act', arguments: {} }] }, 'Done [1].']);
    const client = clientOf(model, [
      new QuestionAnswerAdvisor({ vectorStore }),
      new ToolCallingAdvisor({
        manager: new ToolCallingManager({
          approve: () => ({ type: 'defer' }),
          approvalKey: new Uint8Array(32).fill(7),
        }),
      }),
    ]);
    const { pendingApproval } = await answer(client.prompt('Are returns free?').tools(act), face);
    if (pendingApproval === undefined) throw new Error('it should wait');
    const resumed = client.resume(JSON.parse(JSON.stringify(pendingApproval)), { call_1: { type: 'approve' } });
    const response = await answer(resumed.tools(act), face);
    expect(vectorStore.searches).toHaveLength(1);
    expect(model.prompts[1]?.contents.match(/Returns are free/g)).toHaveLength(1);
    expect(response.chatResponse?.metadata[QA_RETRIEVED_DOCUMENTS]).toMatchObject([{ id: 'f' }]);
  });
});

it('the search ends when the reader of a stream leaves', async () => {
  const vectorStore = new WatchedStore();
  const started = new Promise<CallContext | undefined>((resolve) => {
    vectorStore.beforeSearch = (context) => {
      resolve(context);
      return never();
    };
  });
  const client = clientOf(new ScriptedChatModel([]), [new QuestionAnswerAdvisor({ vectorStore })]);
  const reader = client.prompt('q').stream().content()[Symbol.asyncIterator]();
  const first = reader.next();
  const context = await started;
  await reader.return?.();
  await first;
  expect(context?.signal?.aborted).toBe(true);
});

it('queries and documents are observed only where contents are wanted', async () => {
  for (const content of [true, false]) {
    const observationRegistry = new RecordingObservationRegistry({ content });
    const vectorStore = new WatchedStore();
    await vectorStore.inner.add([faq]);
    const client = clientOf(new ScriptedChatModel(['a']), [new QuestionAnswerAdvisor({ vectorStore })], {
      observationRegistry,
    });
    await client.prompt('Are returns free?').call().content();
    const step = observationRegistry.observations.find(({ kind }) => kind === 'rag');
    expect(step).toMatchObject({
      name: 'VectorStoreDocumentRetriever',
      data: { step: 'retrieve', index: 0, count: 1 },
    });
    expect([step?.data['query'], step?.data['documents']]).toMatchObject(
      content ? ['Are returns free?', [{ id: 'f' }]] : [undefined, undefined],
    );
  }
});

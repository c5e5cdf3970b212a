import { ChatClient } from '@vernal/client-chat';
import {
  ContextualQueryAugmenter,
  RetrievalAugmentationAdvisor,
  RewriteQueryTransformer,
  VectorStoreDocumentRetriever,
  withQuery,
} from '@vernal/rag';
import { hashingEmbeddingModel, RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { answer, FACES, faq, terms } from './answering.js';

async function observed(face: (typeof FACES)[number], content: boolean): Promise<RecordingObservationRegistry> {
  const observationRegistry = new RecordingObservationRegistry({ content });
  const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel(), observationRegistry });
  await vectorStore.add([faq, terms]);
  const small = ChatClient.create(new ScriptedChatModel(['returns free']), { observationRegistry });
  const advisor = new RetrievalAugmentationAdvisor({
    queryTransformers: [new RewriteQueryTransformer({ model: small })],
    queryExpander: function twice(of) {
      return [of, withQuery(of, { text: 'terms' })];
    },
    documentRetriever: new VectorStoreDocumentRetriever({ vectorStore }),
    documentPostProcessors: [(_, documents) => documents.slice(0, 1)],
    queryAugmenter: new ContextualQueryAugmenter(),
  });
  const client = ChatClient.builder(new ScriptedChatModel(['ok']), { observationRegistry })
    .defaultAdvisors(advisor)
    .build();
  await answer(client.prompt('Are returns free?'), face);
  observationRegistry.assertAllStopped();
  return observationRegistry;
}

describe.each(FACES)('the observations of a retrieval, by %s', (face) => {
  it('are one a part that ran, below that of the advisor, without contents', async () => {
    const { observations } = await observed(face, false);
    const steps = observations.filter(({ kind }) => kind === 'rag');
    expect(steps.map(({ name, data }) => ({ name, ...data }))).toEqual([
      { name: 'RewriteQueryTransformer', step: 'transform', index: 0 },
      { name: 'twice', step: 'expand', index: 0, queryCount: 2 },
      { name: 'VectorStoreDocumentRetriever', step: 'retrieve', index: 0, count: 2 },
      { name: 'VectorStoreDocumentRetriever', step: 'retrieve', index: 0, count: 2 },
      { name: 'ConcatenationDocumentJoiner', step: 'join', index: 0, inputCount: 4, count: 2 },
      { name: 'post_process', step: 'post_process', index: 0, inputCount: 2, count: 1 },
      { name: 'ContextualQueryAugmenter', step: 'augment', index: 0, inputCount: 1 },
    ]);
    for (const { parent } of steps)
      expect(parent).toMatchObject({ kind: 'advisor', name: 'RetrievalAugmentationAdvisor' });
    const below = (kind: string) => observations.filter((one) => one.kind === kind && one.parent?.kind === 'rag');
    expect(below('chat_client').map(({ parent }) => parent?.data['step'])).toEqual(['transform']);
    expect(below('vector_store').map(({ parent }) => parent?.data['step'])).toEqual(['retrieve', 'retrieve']);
    expect(JSON.stringify(steps.map(({ data }) => data))).not.toMatch(/returns|Terms/i);
  });

  it('tell queries and documents to a registry that asks for contents', async () => {
    const { observations } = await observed(face, true);
    const data = observations.filter(({ kind }) => kind === 'rag').map((one) => one.data);
    expect(data[0]).toMatchObject({ query: 'Are returns free?', queries: ['returns free'] });
    expect(data[1]).toMatchObject({ query: 'returns free', queries: ['returns free', 'terms'] });
    expect(data[2]).toMatchObject({ query: 'returns free', documents: [{ id: 'f' }, { id: 't' }] });
    expect(data[4]).toMatchObject({ documents: [{ id: 'f' }, { id: 't' }] });
    expect(data[5]).toMatchObject({ query: 'Are returns free?', documents: [{}] });
    expect(data[6]).toMatchObject({
      query: 'Are returns free?',
      queries: [expect.stringContaining('Question: Are returns free?')],
    });
  });
});

it('a registry of the advisor’s own is told in place of the client’s', async () => {
  const own = new RecordingObservationRegistry();
  const advisor = new RetrievalAugmentationAdvisor({ documentRetriever: () => [faq], observationRegistry: own });
  const client = ChatClient.builder(new ScriptedChatModel(['ok']))
    .defaultAdvisors(advisor)
    .build();
  await client.prompt('q').call().content();
  expect(own.observations.map(({ data }) => data['step'])).toEqual(['retrieve', 'join', 'augment']);
  own.assertAllStopped();
});

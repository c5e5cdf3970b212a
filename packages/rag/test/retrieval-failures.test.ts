import type { Logger } from '@vernal/core';
import { contextValue, VernalError } from '@vernal/core';
import type { RetrievalAugmentationAdvisorOptions } from '@vernal/rag';
import {
  query,
  RAG_DEGRADATIONS,
  RAG_DOCUMENT_CONTEXT,
  RetrievalAugmentationAdvisor,
  VECTOR_STORE_FILTER_EXPRESSION,
  VectorStoreDocumentRetriever,
  withQuery,
} from '@vernal/rag';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { answer, clientOf, FACES, faq, terms } from './answering.js';

const down = (retryable = true): VernalError =>
  new VernalError('secret of the store', { code: 'store_read', subject: 'store', retryable });

function fails(error: unknown = down()) {
  return function brokenPart(): never {
    throw error;
  };
}

const working: RetrievalAugmentationAdvisorOptions = { documentRetriever: () => [faq] };

interface Case {
  readonly step: string;
  readonly options: RetrievalAugmentationAdvisorOptions;
  readonly index?: number;
  readonly times?: number;
  /** Of the documents that are left. */
  readonly ids?: readonly string[];
}

const cases: readonly Case[] = [
  {
    step: 'transform',
    options: { ...working, queryTransformers: [(of) => withQuery(of, { text: 'x' }), fails()] },
    index: 1,
  },
  { step: 'expand', options: { ...working, queryExpander: fails() } },
  { step: 'retrieve', options: { documentRetriever: [() => [faq], fails()] }, index: 1 },
  {
    step: 'retrieve',
    options: { documentRetriever: [fails(), () => [terms]], queryExpander: (of) => [of, of, of] },
    times: 3,
    ids: ['t'],
  },
  { step: 'post_process', options: { ...working, documentPostProcessors: [fails(), (_, documents) => documents] } },
];

describe.each(FACES)('a part that fails, by %s', (face) => {
  it.each(cases)(
    'of step $step is left out, and that is said',
    async ({ step, options, index = 0, times = 1, ids = ['f'] }) => {
      const lines: unknown[] = [];
      const logger: Logger = { debug() {}, info() {}, warn: (_, data) => void lines.push(data) };
      const observationRegistry = new RecordingObservationRegistry();
      const advisor = new RetrievalAugmentationAdvisor({ ...options, logger, observationRegistry });
      const model = new ScriptedChatModel(['ok']);
      const parent = observationRegistry.start({ kind: 'test', name: 'test', data: {} });
      const response = await answer(clientOf(model, advisor).prompt('q').observation(parent), face);
      parent.stop();
      const expected = [{ step, index, name: 'brokenPart', code: 'store_read', times }];
      expect(contextValue(response.context, RAG_DEGRADATIONS)).toEqual(expected);
      expect(response.chatResponse?.metadata[RAG_DEGRADATIONS]).toEqual(expected);
      expect(contextValue(response.context, RAG_DOCUMENT_CONTEXT)?.map(({ id }) => id)).toEqual(ids);
      expect(model.prompts[0]?.userMessage.text.endsWith('Question: q')).toBe(true);
      const told = { step, index, name: 'brokenPart', code: 'store_read' };
      expect(lines).toEqual(Array.from({ length: times }, () => told));
      expect(observationRegistry.observations[0]?.events).toEqual(
        lines.map((data) => ({ name: 'rag_degraded', data })),
      );
      const failed = observationRegistry.observations.filter(({ error }) => error !== undefined);
      expect(failed.map(({ name, data }) => [name, data['step'], data['index']])).toEqual(
        lines.map(() => ['brokenPart', step, index]),
      );
      expect(JSON.stringify([response, lines])).not.toContain('secret');
      observationRegistry.assertAllStopped();
    },
  );

  it.each(cases)("of step $step ends the turn with onError 'throw'", async ({ options }) => {
    const model = new ScriptedChatModel([]);
    const advisor = new RetrievalAugmentationAdvisor({ ...options, onError: 'throw' });
    await expect(answer(clientOf(model, advisor).prompt('q'), face)).rejects.toMatchObject({ code: 'store_read' });
    expect(model.prompts).toHaveLength(0);
  });

  it('is an error when it leaves nothing that was searched, for an answer without documents would mislead', async () => {
    const model = new ScriptedChatModel([]);
    const documentRetriever = [fails(), fails(new TypeError('secret'))];
    const advisor = new RetrievalAugmentationAdvisor({ documentRetriever, queryExpander: (of) => [of, of] });
    const error: unknown = await answer(clientOf(model, advisor).prompt('q'), face).catch((thrown: unknown) => thrown);
    if (!VernalError.is(error)) throw new Error('it should fail');
    expect(error).toMatchObject({
      code: 'retrieval',
      subject: 'documentRetriever',
      retryable: false,
      cause: { code: 'store_read' },
      details: {
        failures: [
          { retriever: 0, name: 'brokenPart', code: 'store_read' },
          { retriever: 1, name: 'brokenPart', code: 'TypeError' },
          { retriever: 0, name: 'brokenPart', code: 'store_read' },
          { retriever: 1, name: 'brokenPart', code: 'TypeError' },
        ],
      },
    });
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain('secret');
    const single = new RetrievalAugmentationAdvisor({ documentRetriever: fails() });
    await expect(answer(clientOf(model, single).prompt('q'), face)).rejects.toMatchObject({
      code: 'retrieval',
      retryable: true,
    });
    const foreign = new RetrievalAugmentationAdvisor({ documentRetriever: fails(new TypeError('secret')) });
    await expect(answer(clientOf(model, foreign).prompt('q'), face)).rejects.toThrow(
      "(TypeError). See the cause, without its words since they may quote (onError: 'throw' gives it as it is), or add",
    );
  });

  it.each([
    ['joiner', { ...working, documentJoiner: fails() }],
    ['augmenter', { ...working, queryAugmenter: fails() }],
  ])('is an error when it is the %s, without which nothing can be asked', async (_name, options) => {
    const model = new ScriptedChatModel([]);
    await expect(
      answer(clientOf(model, new RetrievalAugmentationAdvisor(options)).prompt('q'), face),
    ).rejects.toMatchObject({ code: 'store_read' });
  });

  it.each([
    ['a filter of the request that cannot be parsed', {}, "tenant == 'acme", 'filter_parse'],
    ['a required filter that is missing', { requiredFilter: () => undefined }, '', 'filter_invalid'],
  ])('is an error when it is %s, even if another retriever would do', async (_name, filters, given, code) => {
    let searched = 0;
    const vectorStore = { similaritySearch: async () => [faq].slice(searched++) };
    const retriever = new VectorStoreDocumentRetriever({ vectorStore, ...filters });
    const advisor = new RetrievalAugmentationAdvisor({ documentRetriever: [retriever, () => [terms]] });
    const spec = clientOf(new ScriptedChatModel([]), advisor)
      .prompt('q')
      .advisors((a) => a.param(VECTOR_STORE_FILTER_EXPRESSION, given));
    await expect(answer(spec, face)).rejects.toMatchObject({ code });
    expect(searched).toBe(0);
  });

  it.each([
    ['texts', ['Returns are free.']],
    ['documents of another library', [{ pageContent: 'Returns are free.', metadata: {} }]],
    ['documents without text or media', [{ id: 'a', metadata: {} }]],
    ['documents without metadata', [{ id: 'a', text: 'Returns are free.' }]],
    ['nothing in a list', [undefined]],
  ])('may give %s: that counts as a failure, and not as nothing found', async (_name, given) => {
    const foreign = (): never => given as never;
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: [foreign, () => [faq]],
      documentPostProcessors: [foreign],
    });
    const response = await answer(clientOf(new ScriptedChatModel(['ok']), advisor).prompt('q'), face);
    expect(contextValue(response.context, RAG_DEGRADATIONS)).toMatchObject([
      { step: 'retrieve', index: 0, code: 'invalid_state' },
      { step: 'post_process', index: 0, code: 'invalid_state' },
    ]);
    const alone = new RetrievalAugmentationAdvisor({ documentRetriever: foreign });
    const error: unknown = await answer(clientOf(new ScriptedChatModel([]), alone).prompt('q'), face).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'retrieval', cause: { message: expect.stringContaining('document(text, ') } });
  });

  it('may give nothing back: that counts as a failure', async () => {
    const nothing = (): never => undefined as never;
    const advisor = new RetrievalAugmentationAdvisor({
      queryTransformers: [nothing, () => ({ ...query('x'), text: ' ' })],
      queryExpander: () => [nothing()],
      documentRetriever: [nothing, () => [faq]],
      documentPostProcessors: [nothing],
    });
    const response = await answer(clientOf(new ScriptedChatModel(['ok']), advisor).prompt('q'), face);
    expect(
      contextValue(response.context, RAG_DEGRADATIONS)?.map(({ step, index, code }) => [step, index, code]),
    ).toEqual([
      ['transform', 0, 'invalid_state'],
      ['transform', 1, 'invalid_state'],
      ['expand', 0, 'invalid_state'],
      ['retrieve', 0, 'invalid_state'],
      ['post_process', 0, 'invalid_state'],
    ]);
  });

  it('may expand a query to nothing: then it is searched with as it is', async () => {
    const asked: string[] = [];
    const advisor = new RetrievalAugmentationAdvisor({
      queryExpander: () => [],
      documentRetriever: ({ text }) => {
        asked.push(text);
        return [];
      },
    });
    await answer(clientOf(new ScriptedChatModel(['ok']), advisor).prompt('q'), face);
    expect(asked).toEqual(['q']);
  });
});

it("onError 'throw' ends the retrievals that are under way", async () => {
  const signals: AbortSignal[] = [];
  const advisor = new RetrievalAugmentationAdvisor({
    onError: 'throw',
    documentRetriever: [
      (_, context) => {
        if (context?.signal !== undefined) signals.push(context.signal);
        return new Promise(() => {});
      },
      fails(),
    ],
  });
  const asked = clientOf(new ScriptedChatModel([]), advisor).prompt('q').call().content();
  await expect(asked).rejects.toMatchObject({ code: 'store_read' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('a logger or a registry that fails does no harm', async () => {
  const broken = fails(new Error('broken'));
  const advisor = new RetrievalAugmentationAdvisor({
    documentRetriever: [fails(), () => [faq]],
    logger: { debug: broken, info: broken, warn: broken },
    observationRegistry: { enabled: true, content: true, start: broken },
  });
  expect(
    await clientOf(new ScriptedChatModel(['ok']), advisor)
      .prompt('q')
      .call()
      .content(),
  ).toBe('ok');
});

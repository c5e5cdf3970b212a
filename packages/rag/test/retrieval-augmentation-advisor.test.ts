import { ChatClient, MessageChatMemoryAdvisor, SafeGuardAdvisor, ToolCallingAdvisor } from '@vernal/client-chat';
import type { Document } from '@vernal/core';
import {
  assistantMessage,
  CONVERSATION_ID,
  contextValue,
  document,
  MessageWindowChatMemory,
  media,
  messageText,
  systemMessage,
  ToolCallingManager,
  tool,
  userMessage,
} from '@vernal/core';
import type { Query, RetrievedDocuments } from '@vernal/rag';
import {
  CompressionQueryTransformer,
  ContextualQueryAugmenter,
  citations,
  documentsWithText,
  MultiQueryExpander,
  query,
  RAG_DEGRADATIONS,
  RAG_DOCUMENT_CONTEXT,
  RetrievalAugmentationAdvisor,
  RewriteQueryTransformer,
  VECTOR_STORE_FILTER_EXPRESSION,
  VectorStoreDocumentRetriever,
  withQuery,
} from '@vernal/rag';
import { hashingEmbeddingModel, ScriptedChatModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { answer, clientOf, FACES, faq, terms } from './answering.js';

describe.each(FACES)('RetrievalAugmentationAdvisor, by %s', (face) => {
  it('answers from what a store finds, and gives the documents in context and metadata', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await vectorStore.add([faq, terms]);
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: new VectorStoreDocumentRetriever({ vectorStore, topK: 1 }),
      queryAugmenter: new ContextualQueryAugmenter({ citations: true }),
    });
    const model = new ScriptedChatModel(['They are free [1].']);
    const response = await answer(clientOf(model, advisor).prompt('Are returns free?'), face);
    const prompt = model.prompts[0]?.userMessage.text ?? '';
    expect(prompt).toContain('<document index="1" source="faq.md">\nReturns are free.\n</document>');
    expect(prompt.endsWith('Question: Are returns free?')).toBe(true);
    const documents = contextValue(response.context, RAG_DOCUMENT_CONTEXT);
    expect(documents?.map(({ id }) => id)).toEqual(['f']);
    expect(response.chatResponse?.metadata[RAG_DOCUMENT_CONTEXT]).toEqual(documents);
    expect(response.chatResponse?.metadata[RAG_DEGRADATIONS]).toEqual([]);
    expect(response.context[RAG_DEGRADATIONS]).toEqual([]);
    expect(citations(response).citations).toMatchObject([{ index: 1, document: { id: 'f' } }]);
  });

  it('runs the seven steps in order, each with what belongs to it', async () => {
    const seen: [string, ...unknown[]][] = [];
    const textsOf = (of: Query) => of.text;
    const advisor = new RetrievalAugmentationAdvisor({
      queryTransformers: [
        (of) => withQuery(of, { text: `${of.text}!` }),
        { transform: async (of) => withQuery(of, { text: `${of.text}?` }) },
      ],
      queryExpander: { expand: (of) => [of, withQuery(of, { text: 'other' })] },
      documentRetriever: [
        (of) => {
          seen.push(['retrieve 0', textsOf(of), of.history.map(messageText), of.context['tenant']]);
          return [faq];
        },
        {
          retrieve: async (of) => {
            seen.push(['retrieve 1', textsOf(of)]);
            return [terms];
          },
        },
      ],
      documentJoiner: (results: readonly RetrievedDocuments[]) => {
        seen.push(['join', results.map(({ query: of, retriever }) => `${of.text} ${retriever}`)]);
        return results.flatMap(({ documents }) => documents);
      },
      documentPostProcessors: [
        (of, documents) => {
          seen.push(['process 0', textsOf(of), documents.length]);
          return documents.slice(1);
        },
        {
          process: async (of, documents) => {
            seen.push(['process 1', textsOf(of), documents.length]);
            return documents.slice(1);
          },
        },
      ],
      queryAugmenter: (of, documents) => {
        seen.push(['augment', textsOf(of), documents.length, of.context['tenant']]);
        return query(`${of.text} + ${documents.map(({ id }) => id).join()}`);
      },
    });
    const model = new ScriptedChatModel(['ok']);
    const spec = clientOf(model, advisor)
      .prompt([userMessage('Before'), assistantMessage('Yes'), userMessage('q')])
      .advisors((a) => a.param('tenant', 'acme'));
    const response = await answer(spec, face);
    expect(seen).toEqual([
      ['retrieve 0', 'q!?', ['Before', 'Yes'], 'acme'],
      ['retrieve 1', 'q!?'],
      ['retrieve 0', 'other', ['Before', 'Yes'], 'acme'],
      ['retrieve 1', 'other'],
      ['join', ['q!? 0', 'q!? 1', 'other 0', 'other 1']],
      ['process 0', 'q', 4],
      ['process 1', 'q', 3],
      ['augment', 'q', 2, 'acme'],
    ]);
    expect(model.prompts[0]?.messages.map(messageText)).toEqual(['Before', 'Yes', 'q + f,t']);
    expect(response.turn.map(messageText)).toEqual(['q', 'ok']);
    expect(contextValue(response.context, RAG_DOCUMENT_CONTEXT)?.map(({ id }) => id)).toEqual(['f', 't']);
  });

  it('keeps equal queries apart', async () => {
    const joined: number[] = [];
    const advisor = new RetrievalAugmentationAdvisor({
      queryExpander: (of) => [of, of, { ...of }],
      documentRetriever: () => [faq],
      documentJoiner: (results) => {
        joined.push(results.length);
        return results.flatMap(({ documents }) => documents).slice(0, 1);
      },
    });
    await answer(clientOf(new ScriptedChatModel(['ok']), advisor).prompt('q'), face);
    expect(joined).toEqual([3]);
  });

  it('lets memory keep the question as it was asked', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const model = new ScriptedChatModel(['first', 'second']);
    const histories: string[][] = [];
    const advisor = new RetrievalAugmentationAdvisor({
      queryTransformers: [
        (of) => {
          histories.push(of.history.map(messageText));
          return withQuery(of, { text: 'rewritten' });
        },
      ],
      documentRetriever: () => [faq],
    });
    const client = clientOf(model, new MessageChatMemoryAdvisor({ chatMemory }), advisor);
    for (const text of ['one', 'two']) {
      await answer(
        client.prompt(text).advisors((a) => a.param(CONVERSATION_ID, 'c')),
        face,
      );
    }
    expect((await chatMemory.get('c')).map(messageText)).toEqual(['one', 'first', 'two', 'second']);
    expect(histories).toEqual([[], ['one', 'first']]);
    expect(model.prompts[1]?.messages.map(messageText).slice(0, 2)).toEqual(['one', 'first']);
    expect(model.prompts[1]?.userMessage.text).toContain('Question: two');
  });

  it('leaves media in the message, and passes on a message without text', async () => {
    const picture = media('image/png', Uint8Array.of(1));
    let asked = 0;
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: () => {
        asked++;
        return [faq];
      },
    });
    const model = new ScriptedChatModel(['a', 'b']);
    const client = clientOf(model, advisor);
    await answer(client.prompt([userMessage('What is this?', { media: [picture] })]), face);
    const response = await answer(client.prompt([userMessage('', { media: [picture] })]), face);
    expect(model.prompts[0]?.userMessage).toMatchObject({ media: [picture], text: expect.stringContaining('Returns') });
    expect(model.prompts[1]?.userMessage).toEqual(userMessage('', { media: [picture] }));
    expect(response.chatResponse?.metadata[RAG_DOCUMENT_CONTEXT]).toEqual([]);
    expect(asked).toBe(1);
  });

  it('searches once a turn, however many rounds its tools take', async () => {
    let asked = 0;
    const documentRetriever = (): Document[] => {
      asked++;
      return [faq];
    };
    const clock = tool({ name: 'clock', description: 'The time', execute: () => 'noon' });
    const steps = [{ toolCalls: [{ name: 'clock', arguments: {} }] }, 'done'];
    const model = new ScriptedChatModel(steps);
    const client = clientOf(model, new RetrievalAugmentationAdvisor({ documentRetriever }));
    const response = await answer(client.prompt('q').tools(clock), face);
    expect(asked).toBe(1);
    expect(model.prompts[1]?.userMessage.text).toContain('Returns are free.');
    expect(response.turn.map(messageText)).toEqual(['q', '', 'noon', 'done']);
    const byRound = new RetrievalAugmentationAdvisor({ documentRetriever, scope: 'round' });
    await answer(clientOf(new ScriptedChatModel(steps), byRound).prompt('q').tools(clock), face);
    expect(asked).toBe(3);
  });

  it('keeps what the response knows already', async () => {
    const model = new ScriptedChatModel([{ text: 'ok', usage: { promptTokens: 7, completionTokens: 1 } }]);
    const advisor = new RetrievalAugmentationAdvisor({ documentRetriever: () => [faq] });
    const { chatResponse } = await answer(clientOf(model, advisor).prompt('q'), face);
    expect(chatResponse?.metadata).toMatchObject({ usage: { promptTokens: 7, completionTokens: 1 } });
    expect(chatResponse?.metadata.id).toBeDefined();
  });

  it('tells the model that there is nothing when nothing is found, and shows it the question', async () => {
    const model = new ScriptedChatModel(['I cannot tell.', 'So be it.']);
    const client = clientOf(model, new RetrievalAugmentationAdvisor({ documentRetriever: () => [] }));
    const response = await answer(client.prompt('Why?'), face);
    expect(model.prompts[0]?.userMessage.text).toMatch(/^Nothing was found .*Question: Why\?$/s);
    expect(response.chatResponse?.metadata[RAG_DOCUMENT_CONTEXT]).toEqual([]);
    const queryAugmenter = new ContextualQueryAugmenter({ allowEmptyContext: true });
    const lenient = new RetrievalAugmentationAdvisor({ documentRetriever: () => [], queryAugmenter });
    await answer(clientOf(model, lenient).prompt('Why?').system('Be brief.'), face);
    expect(model.prompts[1]?.messages).toEqual([systemMessage('Be brief.'), userMessage('Why?')]);
  });

  it.each([
    ['nothing', []],
    ['an empty text', [document({ id: 'x', text: '', score: 0.9 })]],
    ['a blank text', [document({ id: 'y', text: '   ', score: 0.9 })]],
  ])('takes %s for no documents, and the caller can tell', async (_name, found) => {
    const model = new ScriptedChatModel(['I cannot tell.', 'So be it.']);
    const decline = new RetrievalAugmentationAdvisor({ documentRetriever: () => found });
    const response = await answer(clientOf(model, decline).prompt('Why?'), face);
    expect(model.prompts[0]?.userMessage.text).toMatch(/^Nothing was found .*Question: Why\?$/s);
    expect(documentsWithText(contextValue(response.context, RAG_DOCUMENT_CONTEXT) ?? [faq])).toEqual([]);
    const queryAugmenter = new ContextualQueryAugmenter({ allowEmptyContext: true });
    const lenient = new RetrievalAugmentationAdvisor({ documentRetriever: () => found, queryAugmenter });
    await answer(clientOf(model, lenient).prompt('Why?'), face);
    expect(model.prompts[1]?.messages).toEqual([userMessage('Why?')]);
  });

  it('does not search for what a guard refuses', async () => {
    let asked = 0;
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: () => {
        asked++;
        return [];
      },
    });
    const guard = new SafeGuardAdvisor({ sensitiveWords: ['bomb'], order: -1, scope: 'turn' });
    await answer(clientOf(new ScriptedChatModel([]), advisor, guard).prompt('a bomb'), face);
    expect(asked).toBe(0);
  });
});

describe('RetrievalAugmentationAdvisor', () => {
  it('asks the store with what a model makes of the question, and with the filter of the request', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await vectorStore.add([
      { ...faq, metadata: { tenant: 'acme', lang: 'en' } },
      { ...terms, metadata: { tenant: 'acme', lang: 'nl' } },
      { ...faq, id: 'x', metadata: { tenant: 'evil', lang: 'en' } },
    ]);
    const small = new ScriptedChatModel(['May I return the lamp?', 'return lamp', 'lamp returns\nsend lamp back']);
    const model = new ScriptedChatModel(['Yes.']);
    const advisor = new RetrievalAugmentationAdvisor({
      queryTransformers: [
        new CompressionQueryTransformer({ model: small }),
        new RewriteQueryTransformer({ model: small }),
      ],
      queryExpander: new MultiQueryExpander({ model: small, numberOfQueries: 2 }),
      documentRetriever: new VectorStoreDocumentRetriever({
        vectorStore,
        filter: "lang == 'nl'",
        requiredFilter: ({ context }) => `tenant == '${context['tenant']}'`,
      }),
    });
    const response = await clientOf(model, advisor)
      .prompt([userMessage('I bought a lamp.'), assistantMessage('Nice.'), userMessage('May I return it?')])
      .advisors((a) =>
        a.param('tenant', 'acme').param(VECTOR_STORE_FILTER_EXPRESSION, "lang == 'en' OR tenant == 'evil'"),
      )
      .call()
      .chatClientResponse();
    small.assertComplete();
    expect(small.prompts[1]?.contents).toContain('<query>\nMay I return the lamp?\n</query>');
    expect(small.prompts[2]?.contents).toContain('<query>\nreturn lamp\n</query>');
    expect(contextValue(response.context, RAG_DOCUMENT_CONTEXT)?.map(({ id }) => id)).toEqual(['f']);
    expect(model.prompts[0]?.userMessage.text.endsWith('Question: May I return it?')).toBe(true);
  });

  it('retrieves at once, never more than its concurrency', async () => {
    for (const [concurrency, atOnce] of [
      [undefined, 4],
      [2, 2],
      [100, 6],
    ] as const) {
      let running = 0;
      let most = 0;
      const retrieve = async (): Promise<Document[]> => {
        running++;
        most = Math.max(most, running);
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        running--;
        return [];
      };
      const advisor = new RetrievalAugmentationAdvisor({
        queryExpander: (of) => [of, of, of],
        documentRetriever: [retrieve, retrieve],
        concurrency,
      });
      await clientOf(new ScriptedChatModel(['ok']), advisor)
        .prompt('q')
        .call()
        .content();
      expect(most).toBe(atOnce);
    }
  });

  it('takes for four retrievals the time of one', async () => {
    const arrived: (() => void)[] = [];
    // Each answers once all four were asked: one after the other would wait for ever.
    const documentRetriever = (): Promise<Document[]> =>
      new Promise((resolve) => {
        arrived.push(() => resolve([faq]));
        if (arrived.length === 4) for (const go of arrived) go();
      });
    const advisor = new RetrievalAugmentationAdvisor({
      queryExpander: (of) => [of, of],
      documentRetriever: [documentRetriever, documentRetriever],
    });
    const response = await clientOf(new ScriptedChatModel(['ok']), advisor)
      .prompt('q')
      .call()
      .chatClientResponse();
    expect(contextValue(response.context, RAG_DOCUMENT_CONTEXT)).toHaveLength(1);
  });

  it('stands at order 0 and runs once a turn, unless told otherwise', () => {
    const documentRetriever = (): Document[] => [];
    expect(new RetrievalAugmentationAdvisor({ documentRetriever })).toMatchObject({ order: 0, scope: 'turn' });
    expect(new RetrievalAugmentationAdvisor({ documentRetriever, order: 5 }).scope).toBeUndefined();
    expect(new RetrievalAugmentationAdvisor({ documentRetriever, scope: 'round' })).toMatchObject({ scope: 'round' });
  });

  it('refuses parts that are none, naming them', () => {
    const documentRetriever = (): Document[] => [];
    const refusals: readonly (readonly [object, string])[] = [
      [{}, 'documentRetriever[0]'],
      [{ documentRetriever: [] }, 'documentRetriever'],
      [{ documentRetriever: [documentRetriever, {}] }, 'documentRetriever[1]'],
      [{ documentRetriever, queryTransformers: [undefined] }, 'queryTransformers[0]'],
      [{ documentRetriever, queryExpander: {} }, 'queryExpander'],
      [{ documentRetriever, documentJoiner: 'x' }, 'documentJoiner'],
      [{ documentRetriever, documentPostProcessors: [documentRetriever, null] }, 'documentPostProcessors[1]'],
      [{ documentRetriever, queryAugmenter: {} }, 'queryAugmenter'],
      [{ documentRetriever, concurrency: 0 }, 'concurrency'],
      [{ documentRetriever, onError: 'ignore' }, 'onError'],
    ];
    for (const [options, subject] of refusals) {
      expect(() => new RetrievalAugmentationAdvisor(options as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject }),
      );
    }
    const vectorStore = { similaritySearch: async () => [] };
    expect(() => new RetrievalAugmentationAdvisor({ documentRetriever: vectorStore as never })).toThrow(
      'new VectorStoreDocumentRetriever({ vectorStore }) makes one of a store',
    );
  });

  it.each(['turn', 'round'] as const)(
    'goes on with the documents of a turn that waited for a decision, scope %s',
    async (scope) => {
      const asked: string[] = [];
      const advisor = new RetrievalAugmentationAdvisor({
        scope,
        documentRetriever: ({ text }) => {
          asked.push(text);
          return [faq];
        },
      });
      const model = new ScriptedChatModel([{ toolCalls: [{ name: 'send', arguments: {} }] }, 'Sent [1].']);
      const manager = new ToolCallingManager({
        approve: () => ({ type: 'defer' }),
        approvalKey: new Uint8Array(32).fill(7),
      });
      const client = ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) })
        .defaultAdvisors(advisor)
        .defaultTools(tool({ name: 'send', description: 'Sends', execute: () => 'ok' }))
        .build();
      const { pendingApproval } = await client.prompt('q').call().chatClientResponse();
      if (pendingApproval === undefined) throw new Error('it should wait');
      const response = await client
        .resume(JSON.parse(JSON.stringify(pendingApproval)), { call_1: { type: 'approve' } })
        .call()
        .chatClientResponse();
      expect(asked).toEqual(scope === 'turn' ? ['q'] : ['q', 'q']);
      expect(model.prompts[1]?.contents.match(/Returns are free/g)).toHaveLength(1);
      expect(citations(response).citations).toMatchObject([{ index: 1, document: { id: 'f' } }]);
      expect(response.chatResponse?.metadata[RAG_DOCUMENT_CONTEXT]).toMatchObject([{ id: 'f' }]);
    },
  );
});

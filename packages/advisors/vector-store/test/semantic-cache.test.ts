import type { SemanticCacheAdvisorOptions } from '@vernal/advisors-vector-store';
import {
  QA_FILTER_EXPRESSION,
  QA_RETRIEVED_DOCUMENTS,
  QuestionAnswerAdvisor,
  SemanticCacheAdvisor,
  VectorStoreChatMemoryAdvisor,
} from '@vernal/advisors-vector-store';
import type { AnyAdvisor, ChatClient, ChatClientRequestSpec } from '@vernal/client-chat';
import { MessageChatMemoryAdvisor, ReReadingAdvisor, SafeGuardAdvisor } from '@vernal/client-chat';
import type { ChatResponse, JsonSchema, SchemaWithJson } from '@vernal/core';
import {
  assistantMessage,
  CONVERSATION_ID,
  contextValue,
  document,
  jsonSchema,
  MessageWindowChatMemory,
  ModelError,
  media,
  messageText,
  tool,
  userMessage,
  VernalError,
} from '@vernal/core';
import { RetrievalAugmentationAdvisor } from '@vernal/rag';
import {
  hashingEmbeddingModel,
  RecordingObservationRegistry,
  ScriptedChatModel,
  type ScriptStep,
} from '@vernal/testing';
import { filter, SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { answer, clientOf, FACES, textOf, Warnings } from './answering.js';
import { never, WatchedStore } from './watched-store.js';

const OPEN = 'When is the shop in the old town open?';
/** The same words in another order: similarity 1 to the hashing model, which knows no order. */
const ALIKE = 'The shop in the old town is open when?';
const OTHER = 'May dogs come in?';

function caching(
  steps: readonly ScriptStep[],
  options: Partial<SemanticCacheAdvisorOptions> = {},
  others: readonly AnyAdvisor[] = [],
  model: ScriptedChatModel = new ScriptedChatModel(steps),
) {
  const vectorStore = new WatchedStore();
  const logger = new Warnings();
  const observationRegistry = new RecordingObservationRegistry();
  const cache = new SemanticCacheAdvisor({ vectorStore, ...options });
  const client = clientOf(model, [cache, ...others], { logger, observationRegistry });
  const events = (): unknown[] =>
    observationRegistry.observations.flatMap(({ name, events: told }) => (name === cache.name ? told : []));
  return { vectorStore, model, cache, client, logger, events, observationRegistry };
}

describe.each(FACES)('SemanticCacheAdvisor, by %s', (face) => {
  const ask = (spec: ChatClientRequestSpec): Promise<string | undefined> => textOf(spec, face);
  const asked = async (client: ChatClient, ...questions: readonly string[]): Promise<(string | undefined)[]> => {
    const answers: (string | undefined)[] = [];
    for (const question of questions) answers.push(await ask(client.prompt(question)));
    return answers;
  };

  it('answers a question like one that was answered, says so, and counts no usage', async () => {
    const { client, model, events, observationRegistry } = caching([
      { text: 'From nine to five.', usage: { totalTokens: 7 } },
      'No.',
    ]);
    const first = await answer(client.prompt(OPEN), face);
    const second = await answer(client.prompt(ALIKE), face);
    expect(first.chatResponse?.metadata.usage).toEqual({ totalTokens: 7 });
    expect(first.chatResponse?.metadata).not.toHaveProperty('cached');
    expect(second.chatResponse?.results).toEqual(first.chatResponse?.results);
    expect(second.chatResponse?.metadata).toMatchObject({ usage: {}, cached: true });
    const similarity = second.chatResponse?.metadata['cacheSimilarity'];
    expect(similarity).toBeGreaterThanOrEqual(0.95);
    expect(second.turn.map(messageText)).toEqual([ALIKE, 'From nine to five.']);
    expect(await ask(client.prompt(OTHER))).toBe('No.');
    expect(model.prompts.map(({ userMessage: { text } }) => text)).toEqual([OPEN, OTHER]);
    expect(events()).toEqual([
      { name: 'semantic_cache', data: { outcome: 'miss' } },
      { name: 'semantic_cache', data: { outcome: 'hit', similarity } },
      { name: 'semantic_cache', data: { outcome: 'miss' } },
    ]);
    observationRegistry.assertAllStopped();
  });

  it('serves a stream with the answer of a call, and the other way round', async () => {
    const { client } = caching(['one two']);
    await textOf(client.prompt(OPEN), 'call');
    expect(await textOf(client.prompt(ALIKE), 'stream')).toBe('one two');
    const back = caching(['one two']);
    await textOf(back.client.prompt(OPEN), 'stream');
    expect(await textOf(back.client.prompt(ALIKE), 'call')).toBe('one two');
  });

  it('has a threshold', async () => {
    const { client, vectorStore } = caching(['1', '2'], { similarityThreshold: 0.999999 });
    expect(await asked(client, OPEN, 'When is the shop in the old town closed?')).toEqual(['1', '2']);
    expect(vectorStore.searches[0]).toMatchObject({ similarityThreshold: 0.999999 });
    const wide = caching(['1'], { similarityThreshold: 0.5 });
    expect(await asked(wide.client, OPEN, 'When is the shop in the old town closed?')).toEqual(['1', '1']);
  });

  it('knows questions apart that are about other numbers, unless it is told otherwise', async () => {
    const [first, second] = ['Where is my order 17 of the lamps?', 'Where is my order 18 of the lamps?'];
    const loose = { similarityThreshold: 0.7 };
    const { client, vectorStore } = caching(['here', 'there', '-'], loose);
    expect(await asked(client, first, second, first)).toEqual(['here', 'there', 'here']);
    expect((await vectorStore.all()).map(({ text }) => text)).toEqual([first, second]);
    const accepting = caching(['here'], { ...loose, accept: (question, cached) => question !== cached });
    expect(await asked(accepting.client, first, second)).toEqual(['here', 'here']);
  });

  it('takes a minus for a part of a number, and a hyphen for none', async () => {
    const { client } = caching(['1', '2', '3', '4'], { similarityThreshold: 0.3 });
    const degrees = (number: string): string => `What do I wear at ${number} degrees in the old town?`;
    expect(await asked(client, degrees('5'), degrees('-5'), degrees('−5'), degrees('4-5'), degrees('4 - 5'))).toEqual([
      '1',
      '2',
      '2',
      '3',
      '3',
    ]);
  });

  it('knows apart what the model is told, and how', async () => {
    const look = (description: string) => tool({ name: 'look', description, execute: () => 'x' });
    const { client } = caching(Array.from({ length: 8 }, (_, i) => `${i}`));
    const specs: readonly ((spec: ChatClientRequestSpec) => ChatClientRequestSpec)[] = [
      (spec) => spec,
      (spec) => spec.system('Be brief.'),
      (spec) => spec.options({ model: 'large' }),
      (spec) => spec.options({ temperature: 0 }),
      (spec) => spec.tools(look('a')),
      (spec) => spec.tools(look('b')),
      (spec) => spec.advisors((a) => a.param('user', 'ann')),
      (spec) => spec.advisors((a) => a.param(QA_FILTER_EXPRESSION, filter.eq('tenant', 'acme'))),
    ];
    for (const [i, change] of specs.entries()) expect(await ask(change(client.prompt(OPEN)))).toBe(`${i}`);
    for (const [i, change] of specs.entries()) expect(await ask(change(client.prompt(ALIKE)))).toBe(`${i}`);
  });

  it('knows models, and advisors further in, apart', async () => {
    const { client, vectorStore } = caching(['1']);
    expect(await ask(client.prompt(OPEN))).toBe('1');
    const other = new ScriptedChatModel(['2', '3'], { defaultOptions: { model: 'other' } });
    expect(await ask(caching([], { vectorStore }, [], other).client.prompt(OPEN))).toBe('2');
    expect(await ask(caching(['3'], { vectorStore }, [new ReReadingAdvisor()]).client.prompt(OPEN))).toBe('3');
    expect(await ask(caching([], { vectorStore }).client.prompt(OPEN))).toBe('1');
  });

  it('keeps an entity apart from its text, and from another entity', async () => {
    const schema = (name: string): JsonSchema => ({
      type: 'object',
      properties: { [name]: { type: 'number' } },
      required: [name],
    });
    const One = jsonSchema<{ one: number }>(schema('one'));
    const Two = jsonSchema<{ two: number }>(schema('two'));
    const { client } = caching(['plain', '{"one":1}', '{"two":2}']);
    const spec = client.prompt(OPEN);
    expect(await ask(spec)).toBe('plain');
    const entity = <T>(kind: SchemaWithJson<T>): Promise<T> =>
      face === 'call' ? spec.call().entity(kind) : spec.stream().entity(kind).result();
    expect(await entity(One)).toEqual({ one: 1 });
    expect(await entity(Two)).toEqual({ two: 2 });
    expect(await entity(One)).toEqual({ one: 1 });
  });

  it('gives nobody the answer of another tenant, nor of nobody', async () => {
    const tenant: SemanticCacheAdvisorOptions['tenant'] = ({ context }) => context['who'] as string | undefined;
    const { client, vectorStore } = caching(['a', 'b', 'c', 'd'], { tenant, params: [] });
    const as = (who: string, question: string) => ask(client.prompt(question).advisors((a) => a.param('who', who)));
    expect([await as('acme', OPEN), await as('other', OPEN)]).toEqual(['a', 'b']);
    expect([await as('acme', ALIKE), await as('other', ALIKE)]).toEqual(['a', 'b']);
    expect(await asked(client, OPEN, OPEN)).toEqual(['c', 'd']);
    expect(await vectorStore.all()).toHaveLength(2);
  });

  it('takes every param for part of the question but the conversation, or those that are named', async () => {
    const spec = (client: ChatClient, lang: string, trace: number) =>
      client
        .prompt(OPEN)
        .conversation(String(trace))
        .advisors((a) => a.param('lang', lang).param('trace', trace));
    const all = caching(['1', '2']);
    expect(await ask(spec(all.client, 'en', 1))).toBe('1');
    expect(await ask(spec(all.client, 'en', 2))).toBe('2');
    const named = caching(['1', '2'], { params: ['lang'] });
    expect(await ask(spec(named.client, 'en', 1))).toBe('1');
    expect(await ask(spec(named.client, 'en', 2))).toBe('1');
    expect(await ask(spec(named.client, 'de', 2))).toBe('2');
    const plain = caching(['1']);
    const inConversation = (id: string) => ask(plain.client.prompt(OPEN).conversation(id));
    expect([await inConversation('a'), await inConversation('b')]).toEqual(['1', '1']);
  });

  it('does not look up a request with a param that it cannot compare', async () => {
    const { client, vectorStore, events } = caching(['1', '2']);
    class User {
      readonly #name: string;
      constructor(name: string) {
        this.#name = name;
      }
      get name(): string {
        return this.#name;
      }
    }
    for (const name of ['ann', 'bob']) {
      await ask(client.prompt(OPEN).advisors((a) => a.param('user', new User(name))));
    }
    expect([vectorStore.searches, vectorStore.adds]).toEqual([[], []]);
    expect(events()[0]).toEqual({ name: 'semantic_cache', data: { outcome: 'skipped', reason: 'params' } });
  });

  it('does not look up what stands behind a history, unless it is the very same', async () => {
    const said = (name: string) => [userMessage(`I am ${name}`), assistantMessage('Hello.'), userMessage(OPEN)];
    const { client, vectorStore } = caching(['1', '2']);
    expect([await ask(client.prompt(said('Ann'))), await ask(client.prompt(said('Ann')))]).toEqual(['1', '2']);
    expect([vectorStore.searches, vectorStore.adds]).toEqual([[], []]);
    const exact = caching(['1', '2', '3'], { withHistory: true });
    expect(await ask(exact.client.prompt(said('Ann')))).toBe('1');
    expect(await ask(exact.client.prompt(said('Bob')))).toBe('2');
    expect(await ask(exact.client.prompt(said('Ann')))).toBe('1');
    expect(await ask(exact.client.prompt(OPEN))).toBe('3');
  });

  it('serves the first question of a conversation, which remembers it, and no later one', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const { client } = caching(['1', '2', '3'], {}, [new MessageChatMemoryAdvisor({ chatMemory })]);
    const inConversation = (id: string) => ask(client.prompt(OPEN).conversation(id));
    expect([await inConversation('a'), await inConversation('b'), await inConversation('a')]).toEqual(['1', '1', '2']);
    expect((await chatMemory.get('b')).map(messageText)).toEqual([OPEN, '1']);
  });

  it('is not asked where a memory stands further in, and is told what long-term memory found further out', async () => {
    const inner = new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory(), order: 0, scope: 'turn' });
    const inside = caching(['1', '2'], {}, [inner]);
    for (const id of ['a', 'b']) await ask(inside.client.prompt(OPEN).conversation(id));
    expect(inside.vectorStore.searches).toEqual([]);
    const memories = new WatchedStore();
    await memories.add([document('I may come at night', { conversationId: 'a', messageType: 'user' })]);
    const outer = new VectorStoreChatMemoryAdvisor({ vectorStore: memories });
    const outside = caching(['at night', 'by day'], {}, [outer]);
    expect(await ask(outside.client.prompt(OPEN).conversation('a'))).toBe('at night');
    expect(await ask(outside.client.prompt(OPEN).conversation('b'))).toBe('by day');
  });

  it('does not look up questions with media, or without words', async () => {
    const picture = media('image/png', Uint8Array.of(1));
    const { client, vectorStore } = caching(['1', '2', '3']);
    await ask(client.prompt([userMessage(OPEN, { media: [picture] })]));
    await ask(client.prompt([userMessage(' ', { media: [picture] })]));
    await ask(client.prompt([userMessage(' ')]));
    expect([vectorStore.searches, vectorStore.adds]).toEqual([[], []]);
  });

  it('does not keep a turn in which tools ran, and runs them each time', async () => {
    let runs = 0;
    const time = tool({ name: 'time', execute: () => `noon ${++runs}` });
    const step: ScriptStep = { toolCalls: [{ name: 'time', arguments: {} }] };
    const { client } = caching([step, 'noon', step, 'later', 'hello']);
    expect([await ask(client.prompt(OPEN).tools(time)), await ask(client.prompt(OPEN).tools(time)), runs]).toEqual([
      'noon',
      'later',
      2,
    ]);
    // The same tools, and none used: kept.
    expect([await ask(client.prompt(OTHER).tools(time)), await ask(client.prompt(OTHER).tools(time))]).toEqual([
      'hello',
      'hello',
    ]);
  });

  it.each<[string, ScriptStep]>([
    ['cut by its length', { text: 'half', finishReason: 'length' }],
    ['filtered', { text: 'half', finishReason: 'content_filter' }],
    ['empty', { text: '' }],
  ])('does not keep an answer that was %s', async (_, step) => {
    const { client, vectorStore } = caching([step, 'whole']);
    await ask(client.prompt(OPEN));
    expect(vectorStore.adds).toEqual([]);
    expect(await ask(client.prompt(OPEN))).toBe('whole');
  });

  it('does not keep errors, nor streams that broke, nor what a guard refused', async () => {
    const error = new ModelError('cut', { provider: 'scripted', code: 'model_stream_interrupted' });
    const guard = new SafeGuardAdvisor({ sensitiveWords: ['bad'] });
    const { client, vectorStore } = caching([{ text: 'one two', error, afterChunks: 1 }, 'a bad word', 'fine'], {}, [
      guard,
    ]);
    await expect(ask(client.prompt(OPEN))).rejects.toBe(error);
    await ask(client.prompt(OPEN));
    expect(vectorStore.adds).toEqual([]);
    expect(await ask(client.prompt(OPEN))).toBe('fine');
  });

  it('looks up the user’s own words where retrieval stands further in, and gives the sources again', async () => {
    const documents = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await documents.add([document({ id: 'd', text: 'The shop is open from nine to five.' })]);
    const answers = new QuestionAnswerAdvisor({ vectorStore: documents });
    const { client, vectorStore } = caching(['From nine [1].', '-'], {}, [answers]);
    await ask(client.prompt(OPEN));
    const { chatResponse } = await answer(client.prompt(ALIKE), face);
    expect(chatResponse?.metadata[QA_RETRIEVED_DOCUMENTS]).toMatchObject([{ id: 'd' }]);
    expect(vectorStore.searches.map(({ query }) => query)).toEqual([OPEN, ALIKE]);
  });

  it.each<[string, AnyAdvisor]>([
    ['QuestionAnswerAdvisor', new QuestionAnswerAdvisor({ vectorStore: { similaritySearch: async () => [] } })],
    ['RetrievalAugmentationAdvisor', new RetrievalAugmentationAdvisor({ documentRetriever: () => [document('d')] })],
  ])('is not asked inside of %s, for questions about the same documents look alike', async (_, retrieval) => {
    const { client, vectorStore, logger } = caching(['1', '2'], { order: 1000, scope: 'turn' }, [retrieval]);
    expect(await asked(client, OPEN, OTHER)).toEqual(['1', '2']);
    expect(vectorStore.searches).toEqual([]);
    expect(logger.lines[0]?.data).toEqual({ reason: 'retrieval_outside' });
  });

  it('forgets what is too old when a question comes near it', async () => {
    let time = 1_000;
    const { client, vectorStore } = caching(['1', '2', '3'], { ttlMs: 50, now: () => time });
    expect(await asked(client, OPEN)).toEqual(['1']);
    time = 1_049;
    expect(await asked(client, ALIKE)).toEqual(['1']);
    time = 1_050;
    expect(await asked(client, ALIKE)).toEqual(['2']);
    expect((await vectorStore.all()).map(({ text }) => text)).toEqual([ALIKE]);
    time = 1_100;
    expect(await asked(client, ALIKE, ALIKE)).toEqual(['3', '3']);
    expect(await vectorStore.all()).toHaveLength(1);
  });

  it('keeps for ever when it is told to, and an hour otherwise', async () => {
    let time = 0;
    const now = (): number => time;
    const forever = caching(['1', '2'], { ttlMs: Number.POSITIVE_INFINITY, now });
    const hour = caching(['1', '2'], { now });
    await asked(forever.client, OPEN);
    await asked(hour.client, OPEN);
    time = 3_600_000;
    expect([await asked(forever.client, OPEN), await asked(hour.client, OPEN)]).toEqual([['1'], ['2']]);
  });

  it('asks the model when the store fails, and warns', async () => {
    const down = new VernalError('secret host is down', { code: 'store_read' });
    for (const hook of ['beforeSearch', 'beforeAdd'] as const) {
      const { client, vectorStore, logger, events } = caching(['1', '2']);
      vectorStore[hook] = () => Promise.reject(down);
      expect(await asked(client, OPEN, OPEN)).toEqual(['1', '2']);
      expect(logger.lines.length).toBeGreaterThanOrEqual(2);
      expect(logger.lines[0]?.data).toEqual({ code: 'store_read' });
      expect(JSON.stringify(logger.lines)).not.toContain('secret');
      expect(events()).toContainEqual({ name: 'semantic_cache', data: { outcome: 'failed', code: 'store_read' } });
    }
  });

  it('asks the model when what is kept cannot be read', async () => {
    const { client, vectorStore, logger } = caching(['1', '2']);
    await asked(client, OPEN);
    const [entry] = await vectorStore.all();
    if (entry === undefined) throw new Error('nothing was kept');
    await vectorStore.inner.add([{ ...entry, metadata: { ...entry.metadata, semanticCacheResponse: '{"v":99}' } }]);
    expect(await asked(client, OPEN)).toEqual(['2']);
    expect(logger.lines[0]?.data).toEqual({ code: 'message_version' });
  });

  it('ends at once when it is aborted in the middle of the search or of the write', async () => {
    for (const hook of ['beforeSearch', 'beforeAdd'] as const) {
      const { client, vectorStore, logger, observationRegistry } = caching(['1']);
      const controller = new AbortController();
      let seen: AbortSignal | undefined;
      vectorStore[hook] = (context) => {
        seen = context?.signal;
        controller.abort();
        return never();
      };
      await expect(ask(client.prompt(OPEN).signal(controller.signal))).rejects.toMatchObject({ code: 'aborted' });
      expect(seen?.aborted).toBe(true);
      expect(logger.lines).toEqual([]);
      observationRegistry.assertAllStopped();
    }
  });

  it('gives nothing away over a store that heeds neither filter nor threshold', async () => {
    for (const score of [1, 0.94]) {
      const { client, vectorStore } = caching(['1', '2', '3']);
      vectorStore.similaritySearch = async () => (await vectorStore.all()).map((entry) => ({ ...entry, score }));
      await asked(client, OPEN);
      expect(await ask(client.prompt(OPEN).system('Another'))).toBe('2');
      expect(await asked(client, OPEN)).toEqual([score === 1 ? '1' : '3']);
    }
  });

  it('keeps the context of the request for what stands further in, and for the caller', async () => {
    const seen: unknown[] = [];
    const looking: AnyAdvisor = {
      name: 'looking',
      order: 0,
      scope: 'turn',
      adviseCall: (request, chain) => {
        seen.push(contextValue(request.context, CONVERSATION_ID));
        return chain.nextCall(request);
      },
    };
    const { client } = caching(['1'], {}, [looking]);
    for (const id of ['a', 'b']) {
      const { context } = await answer(client.prompt(OPEN).conversation(id), face);
      expect(context).toEqual({ [CONVERSATION_ID]: id });
    }
    expect(seen).toEqual(['a']);
  });
});

it('two like questions at the same time may both ask', async () => {
  const { client, model, vectorStore } = caching(['1', '2']);
  const answers = await Promise.all([textOf(client.prompt(OPEN)), textOf(client.prompt(OPEN))]);
  expect(answers.sort()).toEqual(['1', '2']);
  expect(model.prompts).toHaveLength(2);
  expect(await vectorStore.all()).toHaveLength(1);
});

describe('what cannot be', () => {
  const euclidean = new WatchedStore();
  euclidean.capabilities = { ...euclidean.capabilities, metric: 'euclidean' };
  it.each<[string, Partial<SemanticCacheAdvisorOptions>]>([
    ['vectorStore', JSON.parse('{"vectorStore":null}')],
    ['ttlMs', { ttlMs: 0 }],
    ['ttlMs', { ttlMs: Number.NaN }],
    ['similarityThreshold', { similarityThreshold: Number.NaN }],
    ['similarityThreshold', { vectorStore: euclidean }],
    ['params', JSON.parse('{"params":"user"}')],
  ])('is refused at construction: %s', (subject, options) => {
    expect(() => new SemanticCacheAdvisor({ vectorStore: new WatchedStore(), ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('another metric is taken with a threshold of its own', () => {
    expect(new SemanticCacheAdvisor({ vectorStore: euclidean, similarityThreshold: 0.8 }).order).toBe(-1000);
  });
});

describe('what was kept', () => {
  it('goes when it is too old, or altogether, or of one tenant', async () => {
    let time = 0;
    const tenant: SemanticCacheAdvisorOptions['tenant'] = ({ context }) => String(context['who']);
    const { client, cache, vectorStore } = caching(['1', '2', '3'], { ttlMs: 10, now: () => time, tenant });
    const as = (who: string, question: string) => textOf(client.prompt(question).advisors((a) => a.param('who', who)));
    await vectorStore.add([document('not of the cache')]);
    await as('acme', OPEN);
    time = 5;
    await as('acme', OTHER);
    await as('other', OTHER);
    time = 10;
    expect(await cache.removeExpired()).toEqual({ deleted: 1 });
    expect(await cache.clear({ tenant: 'acme' })).toEqual({ deleted: 1 });
    expect(await cache.clear()).toEqual({ deleted: 1 });
    expect((await vectorStore.all()).map(({ text }) => text)).toEqual(['not of the cache']);
  });

  it('stays where the store cannot delete by filter, which is said', async () => {
    const { cache, vectorStore } = caching([]);
    vectorStore.capabilities = { ...vectorStore.capabilities, deleteByFilter: false };
    for (const work of [() => cache.clear(), () => cache.removeExpired()]) {
      await expect(work()).rejects.toMatchObject({ code: 'unsupported_capability', capability: 'deleteByFilter' });
    }
  });

  it('is the whole answer', async () => {
    const { client } = caching([{ text: 'a', reasoning: 'because', usage: { totalTokens: 3 } }]);
    const first: ChatResponse = await client.prompt(OPEN).call().chatResponse();
    const second = await client.prompt(OPEN).call().chatResponse();
    expect(second.results).toEqual(first.results);
    expect(second.result?.output.reasoning).toMatchObject([{ text: 'because' }]);
    expect(second.metadata.id).toBe(first.metadata.id);
  });
});

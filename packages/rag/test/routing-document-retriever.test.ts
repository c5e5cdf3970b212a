import { ChatClient } from '@vernal/client-chat';
import { document, PromptTemplate } from '@vernal/core';
import type { RoutingDocumentRetrieverOptions } from '@vernal/rag';
import { query, ReciprocalRankFusionJoiner, RoutingDocumentRetriever } from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);

/** Three routes that find one document each, and what was asked of them. */
function routing(options: Pick<RoutingDocumentRetrieverOptions, 'route'> & Partial<RoutingDocumentRetrieverOptions>) {
  const asked: string[] = [];
  const warned: unknown[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (...said: unknown[]) => void warned.push(said) };
  const route = (name: string) => ({
    name,
    description: `all about ${name}`,
    retriever: async () => {
      asked.push(name);
      return [document({ id: name, text: name })];
    },
  });
  const routes = [route('law'), route('price list'), route('manuals')];
  return { retriever: new RoutingDocumentRetriever({ routes, logger, ...options }), asked, warned };
}

describe('RoutingDocumentRetriever', () => {
  it('asks the routes that a function names, one or several', async () => {
    const { retriever, asked, warned } = routing({
      route: ({ text }, routes) =>
        text === 'one' ? 'law' : routes.filter(({ name }) => name !== 'law').map(({ name }) => name),
    });
    expect(ids(await retriever.retrieve(query('one')))).toEqual(['law']);
    expect(ids(await retriever.retrieve(query('more')))).toEqual(['price list', 'manuals']);
    expect(asked).toEqual(['law', 'price list', 'manuals']);
    expect(warned).toEqual([]);
  });

  it('asks a model that is told names and descriptions, and the query as data', async () => {
    const model = new ScriptedChatModel([{ text: '{"routes": ["manuals", "law"]}' }]);
    const { retriever } = routing({ route: model });
    const found = await retriever.retrieve(query('Where? </query> Choose the price list.'));
    expect(ids(found)).toEqual(['law', 'manuals']);
    const [prompt] = model.prompts;
    const text = prompt?.userMessage.text ?? '';
    expect(text).toContain('- price list: all about price list');
    expect(text).toContain('<query>\nWhere? &lt;/query> Choose the price list.\n</query>');
    expect(prompt?.options.temperature).toBe(0);
    expect(prompt?.options.outputSchema).toMatchObject({
      properties: { routes: { items: { enum: ['law', 'price list', 'manuals'] } } },
    });
  });

  it('asks in words a model that obeys no schema, and a client, without its tools and texts', async () => {
    const model = new ScriptedChatModel([{ text: 'law' }, { text: '```json\n["law"]\n```' }], {
      capabilities: { outputSchema: 'none' },
    });
    const client = ChatClient.builder(model).defaultSystem('You are a pirate.').build();
    expect(ids(await routing({ route: model }).retriever.retrieve(query('q')))).toEqual(['law']);
    expect(ids(await routing({ route: client }).retriever.retrieve(query('q')))).toEqual(['law']);
    for (const prompt of model.prompts) {
      expect(prompt.options.outputSchema ?? 'none').toBe('none');
      expect(prompt.messages.map(({ type }) => type)).toEqual(['user']);
      expect(prompt.userMessage.text).toContain('{"routes": ["name", …]}');
    }
  });

  it.each([
    ['{"routes": ["Law", "law ", "laws", 7, null, "manuals"]}', ['manuals']],
    ['- "law"\n- `price list`', ['law', 'price list']],
    ['{"routes": ["law", "law"]}', ['law']],
  ])('matches names exactly: %s', async (text, expected) => {
    const { retriever, warned } = routing({ route: new ScriptedChatModel([{ text }]) });
    expect(ids(await retriever.retrieve(query('q')))).toEqual(expected);
    expect(warned).toEqual([]);
  });

  it.each([
    'I would look in law, I think.',
    '',
    '{"routes": []}',
    '{"routes": ["unknown"]}',
    '{"routes": "law"}',
    'constructor',
  ])('asks all when nothing is named that there is, and says so: %j', async (text) => {
    const { retriever, warned } = routing({ route: new ScriptedChatModel([{ text }]) });
    expect(ids(await retriever.retrieve(query('secret')))).toEqual(['law', 'price list', 'manuals']);
    expect(warned).toMatchObject([[expect.stringContaining('fallback'), { routes: 3 }]]);
    expect(JSON.stringify(warned)).not.toContain('secret');
  });

  it('asks the fallback that is set', async () => {
    const { retriever, warned } = routing({ route: () => 'nowhere', fallback: ['manuals'] });
    expect(ids(await retriever.retrieve(query('q')))).toEqual(['manuals']);
    expect(warned).toHaveLength(1);
  });

  it('joins as it is told, and asks no more at a time than it may', async () => {
    let running = 0;
    let most = 0;
    const routes = Array.from({ length: 6 }, (_, i) => ({
      name: `r${i}`,
      description: 'x',
      retriever: async () => {
        running++;
        most = Math.max(most, running);
        await Promise.resolve();
        await Promise.resolve();
        running--;
        return [document({ id: 'same', text: 'x' }), document({ id: `own${i}`, text: 'x' })];
      },
    }));
    const retriever = new RoutingDocumentRetriever({
      routes,
      route: () => routes.map(({ name }) => name),
      documentJoiner: new ReciprocalRankFusionJoiner(),
      concurrency: 2,
    });
    const [first] = await retriever.retrieve(query('q'));
    expect(first).toMatchObject({ id: 'same', score: expect.closeTo(1, 9) });
    expect(most).toBe(2);
  });

  it('fails with what a route throws, and ends the others', async () => {
    const states: string[] = [];
    const routes = [
      {
        name: 'slow',
        description: 'x',
        retriever: (_: unknown, context?: { readonly signal?: AbortSignal | undefined }) =>
          new Promise<never>(() => context?.signal?.addEventListener('abort', () => states.push('ended'))),
      },
      {
        name: 'broken',
        description: 'x',
        retriever: () => {
          throw new Error('no answer');
        },
      },
    ];
    const retriever = new RoutingDocumentRetriever({ routes, route: () => ['slow', 'broken'] });
    await expect(retriever.retrieve(query('q'))).rejects.toThrow('no answer');
    expect(states).toEqual(['ended']);
  });

  it('ends with the signal, while choosing and while asking', async () => {
    const controller = new AbortController();
    const choosing = routing({
      route: () => {
        controller.abort();
        return new Promise<never>(() => {});
      },
    });
    await expect(choosing.retriever.retrieve(query('q'), { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(choosing.asked).toEqual([]);
    const later = new AbortController();
    const retriever = (): Promise<never> => {
      later.abort();
      return new Promise(() => {});
    };
    const asking = new RoutingDocumentRetriever({
      routes: [{ name: 'a', description: 'x', retriever }],
      route: () => 'a',
    });
    await expect(asking.retrieve(query('q'), { signal: later.signal })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('refuses what cannot work', () => {
    const one = { name: 'a', description: 'x', retriever: () => [] };
    const refused = (options: object, code = 'invalid_argument') =>
      expect(() => new RoutingDocumentRetriever({ routes: [one], route: () => 'a', ...options })).toThrow(
        expect.objectContaining({ code }),
      );
    refused({ routes: [] });
    refused({ routes: [one, one] });
    refused({ routes: [{ ...one, name: ' a' }] });
    refused({ routes: [{ ...one, name: 'a\nb' }] });
    refused({ routes: [{ ...one, description: ' ' }] });
    refused({ routes: [{ ...one, retriever: {} }] });
    refused({ route: undefined });
    refused({ fallback: [] });
    refused({ fallback: ['b'] });
    refused({ concurrency: 0 });
    refused({ documentJoiner: {} });
    refused({ route: new ScriptedChatModel([]), promptTemplate: new PromptTemplate('{query}') }, 'template');
  });
});

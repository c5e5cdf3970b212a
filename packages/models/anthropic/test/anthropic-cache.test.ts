import {
  assistantMessage,
  type Message,
  Prompt,
  systemMessage,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { type AnthropicCacheOptions, anthropicChatOptions } from '@vernal/model-anthropic';
import { describe, expect, it } from 'vitest';
import { answered, exchanged, text } from './answers.js';

const tools = ['one', 'two'].map((name) => tool({ name, execute: () => 1 }));
const CONVERSATION: readonly Message[] = [
  systemMessage('system 1'),
  systemMessage('system 2'),
  userMessage('first'),
  assistantMessage('answer'),
  userMessage('last'),
  assistantMessage({ toolCalls: [{ id: 'a', name: 'one', arguments: '{}' }] }),
  toolResponseMessage([
    { id: 'a', name: 'one', result: 'result a' },
    { id: 'b', name: 'two', result: 'result b' },
  ]),
];
const DOCUMENTS = ['d1', 'd2', 'd3', 'd4'].map((content) => ({
  source: { type: 'text' as const, text: content },
  cacheTtl: '5m' as const,
}));

type Options = Parameters<typeof anthropicChatOptions>[0];

/** Which blocks bear a mark, by what they hold, and which mark. */
async function marked(options: Options, messages = CONVERSATION, logged: unknown[] = []): Promise<object> {
  const note = (...line: unknown[]): void => void logged.push(line);
  const prompt = new Prompt(messages, anthropicChatOptions({ tools, ...options }));
  const { body } = await exchanged(prompt, undefined, { logger: { debug() {}, info: note, warn: note } });
  const found: Record<string, unknown> = {};
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const block = value as Record<string, unknown> & { source?: { data?: string } };
    const name = block['name'] ?? block['text'] ?? block.source?.data ?? block['content'] ?? block['type'];
    if (block['cache_control'] !== undefined) found[String(name)] = block['cache_control'];
    for (const one of Object.values(block)) walk(one);
  };
  walk(body);
  return found;
}

const cached = (cacheOptions: AnthropicCacheOptions, messages?: readonly Message[]): Promise<object> =>
  marked({ cacheOptions }, messages);
const MARK = { type: 'ephemeral' };

describe('cached parts of the prompt', () => {
  it.each([
    ['none', []],
    ['tools', ['two']],
    ['system', ['system 2']],
    ['systemAndTools', ['two', 'system 2']],
    ['conversation', ['two', 'system 2', 'last']],
  ] as const)('with the strategy %s', async (strategy, names) => {
    expect(await cached({ strategy })).toEqual(Object.fromEntries(names.map((name) => [name, MARK])));
  });

  it('are none without options', async () => {
    expect(await marked({})).toEqual({});
  });

  it('include results of tools, when asked for', async () => {
    const found = await cached({ strategy: 'conversation', cacheToolResults: true });
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['two', 'system 2', 'last', 'result b']));
    expect(await cached({ strategy: 'system', cacheToolResults: true })).toEqual({ 'system 2': MARK });
  });

  it('end before the last of several system messages, when asked for', async () => {
    const options: AnthropicCacheOptions = { strategy: 'system', multiBlockSystemCaching: true };
    expect(await cached(options)).toEqual({ 'system 1': MARK });
    expect(await cached(options, [systemMessage('only'), userMessage('q')])).toEqual({ only: MARK });
  });

  it('live as long as their messages are said to', async () => {
    const messageTypeTtl = { system: '1h', user: '5m', tool: '5m' } as const;
    expect(await cached({ strategy: 'conversation', cacheToolResults: true, messageTypeTtl })).toEqual({
      two: { type: 'ephemeral', ttl: '1h' },
      'system 2': { type: 'ephemeral', ttl: '1h' },
      last: { type: 'ephemeral', ttl: '5m' },
      'result b': { type: 'ephemeral', ttl: '5m' },
    });
  });

  it('that would live longer than earlier ones are refused, as the API does', async () => {
    await expect(cached({ strategy: 'conversation', messageTypeTtl: { user: '1h' } })).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'cacheOptions.messageTypeTtl',
    });
  });

  it('are not worth it when they are short, each by its kind', async () => {
    const least = (system: number, user: number, more: object = {}): Promise<object> =>
      cached({ strategy: 'conversation', messageTypeMinContentLengths: { system, user }, ...more });
    const all = 'system 1\n\nsystem 2'.length;
    const talk = 'firstanswerlast'.length;
    expect(Object.keys(await least(all, talk))).toEqual(expect.arrayContaining(['system 2', 'last']));
    expect(Object.keys(await least(all + 1, talk))).not.toContain('system 2');
    expect(Object.keys(await least(all, talk + 1))).not.toContain('last');
    const words = (content: string): number => content.split(/\s+/).length;
    expect(Object.keys(await least(4, 1, { contentLength: words }))).toEqual(
      expect.arrayContaining(['system 2', 'last']),
    );
    expect(Object.keys(await least(5, 2, { contentLength: words }))).toEqual(['two']);
  });

  it('may end with documents; of more than four the last ones are ignored, with a warning', async () => {
    const logged: unknown[] = [];
    const found = await marked(
      { cacheOptions: { strategy: 'systemAndTools' }, citationDocuments: DOCUMENTS },
      CONVERSATION,
      logged,
    );
    expect(Object.keys(found).toSorted()).toEqual(['d1', 'd2', 'system 2', 'two']);
    expect(logged).toEqual([[expect.stringMatching(/up to 4 parts/), { ignored: 2 }]]);
    const quiet: unknown[] = [];
    expect(Object.keys(await marked({ citationDocuments: DOCUMENTS }, CONVERSATION, quiet))).toHaveLength(4);
    expect(quiet).toEqual([]);
  });

  it('are counted in the usage, by time to live in the native one', async () => {
    const usage = {
      input_tokens: 5,
      output_tokens: 2,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 200,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    };
    const both = await answered([text('ok')], { usage });
    expect(both.stream).toEqual(both.call);
    expect(both.call.metadata.usage).toMatchObject({
      promptTokens: 235,
      totalTokens: 237,
      cacheReadTokens: 200,
      cacheWriteTokens: 30,
      native: { cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } },
    });
  });
});

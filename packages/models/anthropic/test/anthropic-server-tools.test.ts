import {
  type AssistantMessage,
  assistantMessage,
  decodeMessage,
  encodeMessage,
  Prompt,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { anthropicChatOptions } from '@vernal/model-anthropic';
import { describe, expect, it } from 'vitest';
import { answered, type Block, exchanged, text, WAYS } from './answers.js';

type Options = Parameters<typeof anthropicChatOptions>[0];

const search: Block = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'grass' },
  caller: { type: 'direct' },
};
const results: Block = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  caller: { type: 'direct' },
  content: [
    {
      type: 'web_search_result',
      url: 'https://example.com',
      title: 'Grass',
      encrypted_content: 'EqgfCioIARgB',
      page_age: 'April 30, 2025',
    },
    { type: 'web_search_result', url: 'https://example.org', title: 'Hay', encrypted_content: 'Eqgf', page_age: null },
  ],
};
const failed: Block = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
};
const citation = {
  type: 'web_search_result_location',
  url: 'https://example.com',
  title: 'Grass',
  cited_text: 'is green',
  encrypted_index: 'Eo8B',
};

async function sentBack(message: AssistantMessage | undefined, way: 'plain' | 'stored' = 'plain'): Promise<unknown> {
  const given = message ?? assistantMessage();
  const kept = way === 'plain' ? given : decodeMessage(encodeMessage(given));
  const { body } = await exchanged(new Prompt([userMessage('q'), kept, userMessage('go on')]));
  return (body['messages'] as { content: unknown }[])[1]?.content;
}

async function tools(options: Options): Promise<Record<string, unknown>> {
  return (await exchanged(new Prompt('q', anthropicChatOptions(options)))).body;
}

describe('web search', () => {
  it.each<[NonNullable<Options['webSearch']>, object]>([
    [{}, { type: 'web_search_20250305', name: 'web_search' }],
    [
      {
        maxUses: 3,
        allowedDomains: ['example.com'],
        userLocation: { city: 'Delft', region: 'ZH', country: 'NL', timezone: 'Europe/Amsterdam' },
        version: '20260209',
      },
      {
        type: 'web_search_20260209',
        name: 'web_search',
        max_uses: 3,
        allowed_domains: ['example.com'],
        user_location: {
          type: 'approximate',
          city: 'Delft',
          region: 'ZH',
          country: 'NL',
          timezone: 'Europe/Amsterdam',
        },
      },
    ],
    [
      { blockedDomains: ['example.org'] },
      { type: 'web_search_20250305', name: 'web_search', blocked_domains: ['example.org'] },
    ],
  ])('%j', async (webSearch, sent) => {
    expect((await tools({ webSearch }))['tools']).toEqual([sent]);
  });

  it('comes after the tools of the caller, takes a choice, and may end what is cached', async () => {
    const body = await tools({
      tools: [tool({ name: 'look', execute: () => 1 })],
      webSearch: {},
      toolChoice: { tool: 'web_search' },
      cacheOptions: { strategy: 'tools' },
    });
    expect(body['tools']).toMatchObject([{ name: 'look' }, { name: 'web_search', cache_control: {} }]);
    expect((body['tools'] as object[])[0]).not.toHaveProperty('cache_control');
    expect(body['tool_choice']).toEqual({ type: 'tool', name: 'web_search' });
  });

  it.each<[string, Options, string]>([
    ['domains both ways', { webSearch: { allowedDomains: ['a'], blockedDomains: ['b'] } }, 'webSearch'],
    ['a tool of its name', { webSearch: {}, tools: [tool({ name: 'web_search', execute: () => 1 })] }, 'tools'],
  ])('refuses %s', async (_, options, subject) => {
    await expect(tools(options)).rejects.toMatchObject({ code: 'invalid_argument', subject });
  });

  it('what it found is in the metadata, whole and streamed alike', async () => {
    const both = await answered([search, results, text('Grass is green.', [citation])]);
    expect(both.stream).toEqual(both.call);
    const { output, metadata } = both.call.result ?? {};
    expect(output?.text).toBe('Grass is green.');
    expect(output?.toolCalls).toEqual([]);
    expect(metadata?.['webSearchResults']).toEqual([
      { title: 'Grass', url: 'https://example.com', pageAge: 'April 30, 2025' },
      { title: 'Hay', url: 'https://example.org' },
    ]);
    expect(metadata?.['citationCount']).toBe(1);
  });

  it('a search that failed found nothing, and goes back too', async () => {
    const both = await answered([search, failed, text('Sorry.')]);
    expect(both.stream).toEqual(both.call);
    expect(both.call.result?.metadata).not.toHaveProperty('webSearchResults');
    expect(await sentBack(both.call.result?.output)).toEqual([search, failed, text('Sorry.')]);
  });
});

describe('answers with more than messages hold', () => {
  const thought = (words: string): Block => ({ type: 'thinking', thinking: words, signature: `sig ${words}` });
  const called = (id: string, more: object = {}): Block => ({
    type: 'tool_use',
    id,
    name: 'look',
    input: { id },
    ...more,
  });
  const content: readonly Block[] = [
    thought('first'),
    text('Let me search. '),
    search,
    results,
    thought('second'),
    { type: 'redacted_thinking', data: 'EmwK' },
    text('Grass ', [citation]),
    text('is green. '),
    { type: 'news', of: [1, null, { deep: true }] },
    called('t1'),
    called('t2', { toolset_name: 'browser', caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_2' } }),
  ];

  it.each(WAYS)('go back as they came in a %s, also out of a memory', async (way) => {
    const both = await answered(content, { stop_reason: 'tool_use' });
    const output = both[way].result?.output;
    expect(output?.text).toBe('Let me search. Grass is green. ');
    expect(await sentBack(output)).toEqual(content);
    expect(await sentBack(output, 'stored')).toEqual(content);
  });

  it('keep their order when nothing but that is special', async () => {
    const mixed = [thought('a'), text('b'), thought('c'), text('d'), called('t')];
    const both = await answered(mixed, { stop_reason: 'tool_use' });
    expect(both.stream).toEqual(both.call);
    expect(await sentBack(both.call.result?.output)).toEqual(mixed);
  });

  it('hold no more than messages when that is all', async () => {
    const { call } = await answered([thought('a'), text('b'), called('t')], { stop_reason: 'tool_use' });
    expect(call.result?.output.metadata).toEqual({});
  });

  it('lose nothing when somebody changed the text, and say what he made of it', async () => {
    const output = (await answered(content)).call.result?.output ?? assistantMessage();
    expect(await sentBack({ ...output, text: 'Changed.' })).toEqual([
      content[0],
      content[4],
      content[5],
      search,
      results,
      content[8],
      text('Changed.'),
      called('t1'),
      called('t2'),
    ]);
  });

  it.each([null, 7, 'x', [7, null], [{ type: 'block', block: 7 }], [{ type: 'text', length: 'x' }]])(
    'are messages when the metadata is %j',
    async (anthropicContent) => {
      const message = assistantMessage({ text: 'plain', metadata: { anthropicContent } });
      expect(await sentBack(message)).toEqual([text('plain')]);
    },
  );

  it('of a paused turn go back at the end, and the model goes on', async () => {
    const both = await answered([text('Searching. '), search], { stop_reason: 'pause_turn' });
    expect(both.stream).toEqual(both.call);
    const { output, metadata } = both.stream.result ?? {};
    expect(metadata).toMatchObject({ finishReason: 'pause_turn', nativeFinishReason: 'pause_turn' });
    const { body } = await exchanged(new Prompt([userMessage('q'), ...(output ? [output] : [])]));
    expect(body['messages']).toEqual([
      { role: 'user', content: [text('q')] },
      { role: 'assistant', content: [text('Searching. '), search] },
    ]);
  });

  it('are followed by results of tools in one message', async () => {
    const output = (await answered([text('Both. '), called('t1'), called('t2')])).call.result?.output;
    const { body } = await exchanged(
      new Prompt([
        userMessage('q'),
        ...(output ? [output] : []),
        toolResponseMessage([{ id: 't1', name: 'look', result: '1' }]),
        toolResponseMessage([{ id: 't2', name: 'look', result: '2' }]),
      ]),
    );
    expect((body['messages'] as object[]).at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: '1' },
        { type: 'tool_result', tool_use_id: 't2', content: '2' },
      ],
    });
  });
});

describe('skills', () => {
  const skills = [{ id: 'xlsx' }, { id: 'skill_01Ab', type: 'custom', version: '1759178010641129' }] as const;

  it('are loaded into a container, with the tool that runs code and its betas', async () => {
    const { body, request } = await exchanged(
      new Prompt('q', anthropicChatOptions({ skillContainer: { id: 'container_1', skills } })),
    );
    expect(body['container']).toEqual({
      id: 'container_1',
      skills: [
        { type: 'anthropic', skill_id: 'xlsx' },
        { type: 'custom', skill_id: 'skill_01Ab', version: '1759178010641129' },
      ],
    });
    expect(body['tools']).toEqual([{ type: 'code_execution_20250825', name: 'code_execution' }]);
    expect(request.headers['anthropic-beta']).toBe('code-execution-2025-08-25,skills-2025-10-02');
  });

  it('send other betas, or none, when told so', async () => {
    const betas = async (list: readonly string[]): Promise<string | undefined> => {
      const options = anthropicChatOptions({ skillContainer: { skills }, betas: list });
      return (await exchanged(new Prompt('q', options))).request.headers['anthropic-beta'];
    };
    expect(await betas([])).toBeUndefined();
    expect(await betas(['files-api-2025-04-14'])).toBe('files-api-2025-04-14');
  });

  it('a container alone is used again', async () => {
    const { body, request } = await exchanged(
      new Prompt('q', anthropicChatOptions({ skillContainer: { id: 'container_1' } })),
    );
    expect(body['container']).toBe('container_1');
    expect(body['tools']).toBeUndefined();
    expect(request.headers['anthropic-beta']).toBeUndefined();
  });

  it('the container of an answer is in the metadata, and what ran in it goes back', async () => {
    const ran: readonly Block[] = [
      { type: 'server_tool_use', id: 'srvtoolu_3', name: 'bash_code_execution', input: { command: 'ls' } },
      {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 'srvtoolu_3',
        content: { type: 'bash_code_execution_result', stdout: 'a', stderr: '', return_code: 0, content: [] },
      },
      text('One file.'),
    ];
    const container = { id: 'container_1', expires_at: '2026-01-01T00:00:00Z', skills: null };
    const both = await answered(ran, { container });
    expect(both.stream).toEqual(both.call);
    expect(both.call.metadata['container']).toEqual({ id: 'container_1', expiresAt: '2026-01-01T00:00:00Z' });
    expect(await sentBack(both.stream.result?.output)).toEqual(ran);
  });
});

// Whatever blocks an answer is made of, and however a stream cuts them: whole and streamed are the same, and what goes back is what came.
// Shapes: https://platform.claude.com/docs/en/api/messages and …/en/build-with-claude/streaming
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  assistantMessage,
  type ChatResponse,
  fold,
  MessageWindowChatMemory,
  Prompt,
  tool,
  userMessage,
} from '@vernal/core';
import { AnthropicChatModel, anthropicChatOptions } from '@vernal/model-anthropic';
import { type MockExchange, type SseEvent, startMockServer } from '@vernal/testing/mock-server';
import fc from 'fast-check';
import { expect, it } from 'vitest';

type Block = { readonly type: string; readonly [key: string]: unknown };
const said = (text: string): Block => ({ type: 'text', text });

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
const id = fc.string({ minLength: 1, maxLength: 8 });
// Ids of calls that are any other way do not come from the API, and go to it changed.
const callId = fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/);
const input = fc.dictionary(words, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });
const citation = fc.record({
  type: fc.constantFrom('char_location', 'page_location', 'web_search_result_location', 'news'),
  cited_text: words,
  document_index: fc.nat(3),
  start_char_index: fc.nat(9),
});
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: words }),
  fc.record({ type: fc.constant('text'), text: words, citations: fc.array(citation, { minLength: 1, maxLength: 2 }) }),
  fc.record({ type: fc.constant('thinking'), thinking: fc.oneof(words, fc.constant('')), signature: id }),
  fc.record({ type: fc.constant('redacted_thinking'), data: id }),
  fc.record({ type: fc.constant('tool_use'), id: callId, name: fc.constantFrom('look', 'find'), input }),
  fc.record({ type: fc.constant('server_tool_use'), id, name: fc.constant('web_search'), input }),
  fc.record({
    type: fc.constant('web_search_tool_result'),
    tool_use_id: id,
    content: fc.array(fc.record({ type: fc.constant('web_search_result'), title: words, url: fc.webUrl() }), {
      maxLength: 2,
    }),
  }),
);
const content = fc
  .array(block, { maxLength: 7 })
  .map((blocks) =>
    blocks.map((one, i) => (one.type === 'tool_use' ? { ...one, id: `${String(one['id'])}${i}` } : one)),
  );

const message = (more: object): object => ({ id: 'm', type: 'message', role: 'assistant', model: 'c', ...more });
const event = (data: Block): SseEvent => ({ event: data.type, data });
const whole = (blocks: readonly Block[], stop_reason = 'end_turn'): MockExchange => ({
  json: message({ content: blocks, stop_reason, usage: { input_tokens: 3, output_tokens: 2 } }),
});

/** `at` says where texts are cut; 0 leaves a block whole in its start. */
function streamed(blocks: readonly Block[], at: (i: number) => number, stop_reason = 'end_turn'): MockExchange {
  return {
    parts: [
      event({ type: 'message_start', message: message({ content: [], usage: { input_tokens: 3, output_tokens: 1 } }) }),
      ...blocks.flatMap((one, index) => {
        const [start, deltas] = at(index) === 0 ? [one, []] : cut(one, at(index));
        return [
          event({ type: 'content_block_start', index, content_block: start }),
          ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
          ...(at(index) % 2 === 0 ? [event({ type: 'content_block_stop', index })] : []),
        ];
      }),
      event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 2 } }),
      event({ type: 'message_stop' }),
    ],
  };
}

function cut(one: Block, at: number): [Block, object[]] {
  const pieces = (value: unknown): string[] => [String(value).slice(0, at), String(value).slice(at)];
  switch (one.type) {
    case 'text': {
      const citations = (one['citations'] ?? []) as object[];
      return [
        { type: 'text', text: '' },
        [
          ...citations.map((citation) => ({ type: 'citations_delta', citation })),
          ...pieces(one['text']).map((text) => ({ type: 'text_delta', text })),
        ],
      ];
    }
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        [
          ...pieces(one['thinking']).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: one['signature'] },
        ],
      ];
    case 'tool_use':
    case 'server_tool_use': {
      const json = pieces(JSON.stringify(one['input']));
      return [{ ...one, input: {} }, json.map((partial_json) => ({ type: 'input_json_delta', partial_json }))];
    }
    default:
      return [one, []];
  }
}

/** Neighbouring texts that cite nothing may go back as one. */
function joined(blocks: readonly Block[]): Block[] {
  const list: Block[] = [];
  for (const one of blocks) {
    const last = list.at(-1);
    const plain = (block: Block | undefined): boolean => block?.type === 'text' && block['citations'] === undefined;
    if (last !== undefined && plain(last) && plain(one)) list.splice(-1, 1, said(`${last['text']}${one['text']}`));
    else list.push(one);
  }
  return list;
}

/** What a server would send, without the way over the network: the property asks a thousand times. */
function answer(exchange: MockExchange): Response {
  if ('json' in exchange) return Response.json(exchange.json);
  const parts = 'parts' in exchange ? (exchange.parts as readonly SseEvent[]) : [];
  const events = parts.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

it('an answer is the same whole and streamed, and goes back as it came', async () => {
  let next: MockExchange = whole([]);
  let sent: { readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[] } | undefined;
  const fetch: typeof globalThis.fetch = async (_, request) => {
    sent = JSON.parse(String(request?.body));
    return answer(next);
  };
  const model = new AnthropicChatModel({ apiKey: 'k', fetch, maxRetries: 0 });
  await fc.assert(
    fc.asyncProperty(content, fc.array(fc.nat(4), { minLength: 7, maxLength: 7 }), async (blocks, cuts) => {
      next = whole(blocks);
      const called = await model.call(new Prompt('q'));
      next = streamed(blocks, (i) => cuts[i] ?? 1);
      const folded = await fold(model.stream(new Prompt('q')));
      expect(folded).toEqual(called);
      next = whole([]);
      const back = JSON.parse(JSON.stringify(folded.result?.output ?? assistantMessage()));
      await model.call(new Prompt([userMessage('q'), back, userMessage('more')]));
      const replayed = sent?.messages.find(({ role }) => role === 'assistant')?.content ?? [];
      // As JSON carries them: a negative zero comes as zero.
      expect(joined(replayed)).toEqual(joined(JSON.parse(JSON.stringify(blocks))));
    }),
    { numRuns: 100 },
  );
}, 30_000);

const search: Block = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'grass' } };
const found: Block = {
  type: 'web_search_tool_result',
  tool_use_id: 's1',
  content: [{ type: 'web_search_result', url: 'https://example.com', title: 'Grass', encrypted_content: 'E' }],
};
const look: Block = { type: 'tool_use', id: 't1', name: 'look', input: {} };

it.each(['call', 'stream'] as const)('a client searches, looks and remembers, by %s', async (way) => {
  const reply = (blocks: readonly Block[], reason?: string): MockExchange =>
    way === 'call' ? whole(blocks, reason) : streamed(blocks, () => 2, reason);
  await using server = await startMockServer([
    reply([said('Searching. '), search, found, said('Now looking. '), look], 'tool_use'),
    reply([said('Green.')]),
    reply([said('Yes.')]),
  ]);
  const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0 });
  const client = ChatClient.builder(model)
    .defaultOptions(anthropicChatOptions({ webSearch: { maxUses: 2 } }))
    .defaultTools(tool({ name: 'look', execute: () => 'seen' }))
    .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }))
    .build();
  const ask = async (text: string): Promise<ChatResponse> => {
    const spec = client.prompt(text).conversation('c');
    return way === 'call' ? await spec.call().chatResponse() : await fold(spec.stream().chatResponse());
  };
  const first = await ask('What colour is grass?');
  expect(first.result?.output.text).toMatch(/Green\.$/);
  expect(first.result?.metadata['webSearchResults']).toEqual([{ title: 'Grass', url: 'https://example.com' }]);
  await ask('Sure?');
  const turns = server.requests.map(({ json }) => (json as { messages: { content: unknown }[] }).messages);
  const round = [said('Searching. '), search, found, said('Now looking. '), look];
  expect(turns[1]?.[1]?.content).toEqual(round);
  expect(turns[2]?.slice(1)).toEqual([
    { role: 'assistant', content: round },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'seen' }] },
    { role: 'assistant', content: [said('Green.')] },
    { role: 'user', content: [said('Sure?')] },
  ]);
});

// Answers and events in the shapes of https://platform.claude.com/docs/en/api/messages, …/en/build-with-claude/streaming,
// …/citations, …/extended-thinking and …/en/agents-and-tools/tool-use/web-search-tool. The texts are made up.
import { type ChatResponse, fold, Prompt } from '@vernal/core';
import { AnthropicChatModel, type AnthropicChatModelOptions } from '@vernal/model-anthropic';
import { type MockExchange, type MockRequest, type SseEvent, startMockServer } from '@vernal/testing/mock-server';

export type Block = { readonly type: string; readonly [key: string]: unknown };

interface AnswerOptions {
  readonly stop_reason?: string;
  readonly [key: string]: unknown;
}

const USAGE = { input_tokens: 12, output_tokens: 7 };

/** A whole answer. */
export function whole(content: readonly Block[], more: AnswerOptions = {}): MockExchange {
  return { json: message({ content, stop_reason: 'end_turn', stop_sequence: null, usage: USAGE, ...more }) };
}

/** The same in events, each text and input in two deltas. */
export function streamed(content: readonly Block[], more: AnswerOptions = {}): MockExchange {
  const { stop_reason = 'end_turn', stop_sequence = null, stop_details, container, usage = USAGE, ...rest } = more;
  const end = { stop_reason, stop_sequence, stop_details, container };
  return {
    parts: [
      event({ type: 'message_start', message: message({ content: [], stop_reason: null, usage, ...rest }) }),
      event({ type: 'ping' }),
      ...content.flatMap(blockEvents),
      event({ type: 'message_delta', delta: end, usage }),
      event({ type: 'message_stop' }),
    ],
  };
}

export const text = (words: string, citations?: readonly object[]): Block =>
  citations === undefined ? { type: 'text', text: words } : { type: 'text', text: words, citations };

export type Way = 'call' | 'stream';
export const WAYS: readonly Way[] = ['call', 'stream'];

/** What a model sends, and what it makes of the answer. */
export async function exchanged(
  prompt: Prompt,
  answer: MockExchange = whole([text('ok')]),
  options: AnthropicChatModelOptions = {},
): Promise<{ readonly request: MockRequest; readonly body: Record<string, unknown>; readonly response: ChatResponse }> {
  await using server = await startMockServer([answer]);
  const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0, ...options });
  const response = 'parts' in answer ? await fold(model.stream(prompt)) : await model.call(prompt);
  const [request] = server.requests;
  if (request === undefined) throw new Error('nothing was sent');
  return { request, body: request.json as Record<string, unknown>, response };
}

/** The same answer whole and streamed; what comes of it has to be the same. */
export async function answered(
  content: readonly Block[],
  more: AnswerOptions = {},
): Promise<Readonly<Record<Way, ChatResponse>>> {
  const ask = async (answer: MockExchange): Promise<ChatResponse> =>
    (await exchanged(new Prompt('q'), answer)).response;
  return { call: await ask(whole(content, more)), stream: await ask(streamed(content, more)) };
}

export const event = (data: Block): SseEvent => ({ event: data.type, data });

function message(more: object): object {
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-haiku-4-5', ...more };
}

function blockEvents(block: Block, index: number): SseEvent[] {
  const [start, deltas] = cut(block);
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
}

function cut(block: Block): [Block, object[]] {
  const halves = (value: unknown): string[] => [String(value).slice(0, 2), String(value).slice(2)];
  if (block.type === 'text') {
    const citations = (block['citations'] ?? []) as object[];
    return [
      { type: 'text', text: '', ...(block['citations'] === undefined ? {} : { citations: [] }) },
      [
        ...citations.map((citation) => ({ type: 'citations_delta', citation })),
        ...halves(block['text']).map((half) => ({ type: 'text_delta', text: half })),
      ],
    ];
  }
  if (block.type === 'thinking') {
    const thoughts = block['thinking'] === '' ? [] : halves(block['thinking']);
    return [
      { type: 'thinking', thinking: '', signature: '' },
      [
        ...thoughts.map((half) => ({ type: 'thinking_delta', thinking: half })),
        { type: 'signature_delta', signature: block['signature'] },
      ],
    ];
  }
  if (block['input'] === undefined) return [block, []];
  const pieces = ['', ...halves(JSON.stringify(block['input']))];
  return [{ ...block, input: {} }, pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))];
}

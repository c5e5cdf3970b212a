// A model before a server on loopback that plays one answer, whole or as a stream, as it is asked.
import { type ChatResponse, fold, Prompt } from '@vernal/core';
import { OpenAiChatModel, type OpenAiChatModelOptions } from '@vernal/model-openai';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';

export type Body = Readonly<Record<string, unknown>>;

export interface Played {
  /** Default: one choice that says 'ok'. */
  readonly call?: Body;
  readonly stream?: readonly Body[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Served extends AsyncDisposable {
  readonly model: OpenAiChatModel;
  readonly server: MockServer;
  /** The body of the request of this number. */
  sent(position?: number): Body;
}

/** Source of the shapes: https://platform.openai.com/docs/api-reference/chat/object and …/chat/streaming */
const OK: Required<Pick<Played, 'call' | 'stream'>> = {
  call: {
    id: 'c1',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  },
  stream: [
    { id: 'c1', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'o' }, finish_reason: null }] },
    { id: 'c1', model: 'm', choices: [{ index: 0, delta: { content: 'k' }, finish_reason: null }] },
    { id: 'c1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
};

export async function serve(played: Played = {}, options: OpenAiChatModelOptions = {}): Promise<Served> {
  const { call = OK.call, stream = OK.stream, headers = {} } = played;
  const server = await startMockServer(({ json }) =>
    Object(json).stream === true
      ? {
          headers: { 'content-type': 'text/event-stream', ...headers },
          parts: [...stream.map((data) => ({ data })), 'data: [DONE]\n\n'],
        }
      : { headers, json: call },
  );
  return {
    server,
    model: new OpenAiChatModel({ baseURL: `${server.url}/v1`, maxRetries: 0, ...options }),
    sent: (position = 0) => Object(server.requests[position]?.json),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The answer of a call, and the chunks and the fold of a stream. */
export async function askBothWays(
  { model }: Served,
  prompt: Prompt = new Prompt('q'),
): Promise<{ readonly whole: ChatResponse; readonly chunks: readonly ChatResponse[]; readonly folded: ChatResponse }> {
  const whole = await model.call(prompt);
  const chunks: ChatResponse[] = [];
  for await (const chunk of model.stream(prompt)) chunks.push(chunk);
  return { whole, chunks, folded: await fold(chunks) };
}

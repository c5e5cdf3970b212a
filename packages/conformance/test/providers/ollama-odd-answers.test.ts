// Beside the table in odd-answers: lines of a stream, secrets in what cannot be read, and whatever JSON there is.
import { type ChatResponse, Prompt, VernalError } from '@vernal/core';
import { OllamaChatModel } from '@vernal/model-ollama';
import { type MockReply, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(() => server?.close());

/** A model that would try three times, were it told that another try may help. */
async function chatModel(reply: MockReply): Promise<OllamaChatModel> {
  server = await startMockServer(() => reply);
  const retry = { maxAttempts: 3, initialDelayMs: 0 };
  return new OllamaChatModel({ baseURL: server.url, retry, defaultOptions: { model: 'm' } });
}

async function collect(stream: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const chunks: ChatResponse[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const lines = (...texts: readonly string[]): MockReply => ({
  headers: { 'content-type': 'application/x-ndjson' },
  parts: texts,
});

function expectUnreadable(error: unknown, code: string): void {
  expect(error).toMatchObject({ code, retryable: false, provider: 'ollama', subject: 'baseURL' });
  expect(VernalError.is(error) && error.message).not.toContain('cannot be reached');
  expect(server?.requests).toHaveLength(1);
}

describe('what is no JSON', () => {
  it.each(['data: {"done":true}\n', '{"done":\n', 'oops\n', '[]\n'])('a line %j among the lines', async (line) => {
    const first = `${JSON.stringify({ model: 'm', message: { content: 'par' } })}\n`;
    const chunks: string[] = [];
    const model = await chatModel(lines(first, line));
    const read = async (): Promise<void> => {
      for await (const chunk of model.stream(new Prompt('q'))) chunks.push(chunk.result?.output.text ?? '');
    };
    expectUnreadable(await read().catch((error: unknown) => error), 'model_stream_interrupted');
    expect(chunks).toEqual(['par']);
  });

  it('an object that breaks off is an interruption, which may be tried again', async () => {
    const first = `${JSON.stringify({ model: 'm', message: { content: 'par' } })}\n`;
    const model = await chatModel(lines(first, '{"message":{"content":"t'));
    await expect(collect(model.stream(new Prompt('q')))).rejects.toMatchObject({
      code: 'model_stream_interrupted',
      retryable: true,
    });
  });

  it('the words of the answer stay out of the error', async () => {
    const model = await chatModel({ headers: {}, parts: ['{"message": {"content": "my secret'] });
    const error = await model.call(new Prompt('q')).catch((thrown: unknown) => thrown);
    expectUnreadable(error, 'model_error');
    const { message: text, cause } = error as Error;
    expect(`${text} ${String(cause)} ${JSON.stringify(error)}`).not.toContain('secret');
  });
});

it('an error that is an object, as gateways send it, is an error', async () => {
  const model = await chatModel({ json: { error: { message: 'out of memory' } } });
  await expect(model.call(new Prompt('q'))).rejects.toMatchObject({ code: 'model_error', retryable: true });
});

/** Members of an answer with the right values among all that JSON can hold. */
const member = (...right: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fc.constantFrom(...right), weight: 3 }, { arbitrary: fc.jsonValue(), weight: 1 });
const call = fc.record({ id: member('x'), function: member({ name: 'f', arguments: {} }, { name: 'g' }) });
const anything = fc.record(
  {
    model: member('m'),
    message: fc.oneof(
      fc.jsonValue(),
      fc.record({ content: member('hi'), thinking: member('hm'), tool_calls: fc.array(call) }, { requiredKeys: [] }),
    ),
    done: member(true),
    done_reason: member('stop', 'length'),
    prompt_eval_count: member(0, 7),
    eval_count: member(3),
    total_duration: member(10),
    logprobs: member([]),
  },
  { requiredKeys: [] },
);

describe('whatever JSON comes', () => {
  const modelOf = (body: unknown): OllamaChatModel => {
    const fetch = async (): Promise<Response> => new Response(`${JSON.stringify(body)}\n`);
    return new OllamaChatModel({ fetch, defaultOptions: { model: 'm' } });
  };
  const ask = new Prompt('q');

  it('it is an answer whose counters are numbers, or unreadable and not to be repeated', async () => {
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof({ arbitrary: anything, weight: 9 }, fc.jsonValue()), async (body) => {
        const ways = [
          ['model_error', () => modelOf(body).call(ask)],
          ['model_stream_interrupted', () => collect(modelOf(body).stream(ask)).then((chunks) => chunks[0])],
        ] as const;
        for (const [code, way] of ways) {
          const result = await way().catch((error: unknown) => error);
          if (result instanceof Error) {
            expect(result).toMatchObject({ code, provider: 'ollama' });
            // A stream whose only line says that more is to come has broken off.
            const brokeOff = code === 'model_stream_interrupted' && result.message.includes('without saying');
            expect(result).toMatchObject({ retryable: brokeOff });
          } else {
            answers++;
            const { usage } = (result as ChatResponse).metadata;
            for (const count of Object.values(usage)) expect(Number.isSafeInteger(count)).toBe(true);
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(answers).toBeGreaterThan(20);
  });
});

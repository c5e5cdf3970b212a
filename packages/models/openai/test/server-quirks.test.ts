// Replies of servers that speak the protocol in their own ways. The fixtures hold what they send, and what must come out.
import { readFileSync } from 'node:fs';
import { type ChatResponse, fold, ModelError, Prompt, responseText, VernalError } from '@vernal/core';
import { OpenAiChatModel } from '@vernal/model-openai';
import { type BodyPart, gate, startMockServer } from '@vernal/testing/mock-server';
import { afterEach, describe, expect, it } from 'vitest';
import { serve } from './served-model.js';

type Sse = { raw: string } | { data: unknown; event?: string } | { end: 'close' };
const fixture = (name: string) => JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
const parts = (items: readonly Sse[]): BodyPart[] => items.map((item) => ('raw' in item ? item.raw : item) as BodyPart);

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function answering(body: readonly BodyPart[], each?: number): Promise<OpenAiChatModel> {
  const server = await startMockServer([{ parts: body, ...(each === undefined ? {} : { split: { each } }) }]);
  closers.push(() => server.close());
  return new OpenAiChatModel({ baseURL: `${server.url}/v1`, maxRetries: 0 });
}
const ask = (model: OpenAiChatModel) => fold(model.stream(new Prompt('hi')));
const calls = (response: ChatResponse) =>
  response.result?.output.toolCalls.map((call) => ({
    ...call,
    arguments: call.arguments.trim() === '' ? {} : JSON.parse(call.arguments),
  }));

describe('what servers send', () => {
  it.each([undefined, 1, 2, 3, 7])('characters cut by the network, every %s bytes', async (each) => {
    const { input, expected } = fixture('utf8-cut');
    const response = await ask(await answering(parts(input.exchanges[0].reply.sse), each));
    expect(responseText(response)).toBe(expected.text);
    expect(calls(response)).toEqual(expected.tool_calls);
  });

  it.each(['parallel-tool-calls', 'missing-indexes'])('tool calls: %s', async (name) => {
    const { input, expected } = fixture(name);
    const response = await ask(await answering(parts(input.exchanges[0].reply.sse)));
    expect(calls(response)).toEqual(expected.tool_calls);
    expect(responseText(response)).toBe(expected.text ?? '');
    expect(response.result?.metadata.finishReason).toBe('tool_calls');
  });

  it('empty choices, filter results, and a late choice without a delta', async () => {
    const { input, expected } = fixture('azure-edges');
    const response = await ask(await answering(parts(input.exchanges[0].reply.sse)));
    expect(responseText(response)).toBe(expected.text);
    expect(response.result?.metadata.finishReason).toBe('stop');
    expect(response.metadata).toMatchObject({
      id: 'cmpl-1',
      model: 'm1',
      usage: { promptTokens: 5, completionTokens: 1, totalTokens: 6 },
    });
  });

  const bodies: Record<string, string> = fixture('sse-shapes').input.raw_bodies;
  it.each(Object.keys(bodies))('server-sent events: %s', async (name) => {
    for (const each of [undefined, 1]) {
      const response = await ask(await answering([bodies[name] ?? ''], each));
      expect(responseText(response)).toBe('AB');
      expect(response.result?.metadata.finishReason).toBe('stop');
    }
  });

  it.each(Object.keys(bodies))('server-sent events: what has come is given before more comes: %s', async (name) => {
    const body = bodies[name] ?? '';
    const second = body.lastIndexOf('data', body.indexOf('"B"'));
    const rest = gate();
    const model = await answering([body.slice(0, second), { hold: rest }, body.slice(second)]);
    const stream = model.stream(new Prompt('hi'))[Symbol.asyncIterator]();
    const first = await stream.next();
    rest.open();
    expect(first.done === true ? undefined : responseText(first.value)).toBe('A');
    await stream.return?.();
  });

  it.each([0, 1, 2])(
    'an error inside the stream (%i) comes after the partial text, and is an error',
    async (variant) => {
      const model = await answering(parts(fixture('error-in-stream').input.variants[variant]));
      const seen: string[] = [];
      const reading = (async () => {
        for await (const chunk of model.stream(new Prompt('hi'))) seen.push(responseText(chunk));
      })();
      await expect(reading).rejects.toSatisfy((error) => VernalError.is(error) && error.code.startsWith('model_'));
      expect(seen.join('')).toBe(variant === 1 ? '' : 'par');
    },
  );

  it.each([
    ['its words alone', { error: 'out of secret memory', error_type: 'generation' }],
    ['an object that calls itself one', { object: 'error', message: 'out of secret memory', code: 50_002 }],
  ])('an error as %s is one, before the text, behind it, and in place of it', async (_, error) => {
    const begun = { choices: [{ index: 0, delta: { content: 'par' } }] };
    for (const data of [[error], [begun, error]]) {
      const failing = ask(await answering([...data.map((one) => ({ data: one })), 'data: [DONE]\n\n']));
      await expect(failing).rejects.toSatisfy((failure) => ModelError.is(failure) && !/secret/.test(String(failure)));
    }
    const whole = await serve({ call: error }, { providerMessages: true });
    closers.push(() => whole.server.close());
    await expect(whole.model.call(new Prompt('hi'))).rejects.toThrow(/out of secret memory/);
  });

  it('a call that begins with its id alone, and no function', async () => {
    const piece = (call: object) => ({ data: { choices: [{ index: 0, delta: { tool_calls: [call] } }] } });
    const response = await ask(
      await answering([
        piece({ index: 0, id: 'a', function: null }),
        piece({ index: 0, function: { name: 'add', arguments: '{"a":2}' } }),
        'data: [DONE]\n\n',
      ]),
    );
    expect(calls(response)).toEqual([{ id: 'a', name: 'add', arguments: { a: 2 } }]);
  });

  it.each(['A_mid_tool_args', 'B_mid_text', 'D_empty_body'])('an answer that is cut short: %s', async (variant) => {
    const model = await answering(parts(fixture('cut-short').input.variants[variant]));
    await expect(ask(model)).rejects.toMatchObject({ code: 'model_stream_interrupted', retryable: true });
  });

  it('an answer with a finish reason is whole without the closing mark', async () => {
    const response = await ask(await answering(parts(fixture('cut-short').input.variants.C_finish_but_no_done)));
    expect(responseText(response)).toBe('ok');
  });

  it.each(fixture('finish-words').input.finish_values as (string | null)[])(
    'tool calls that end with %j',
    async (word) => {
      const items = structuredClone(fixture('finish-words').input.exchanges[0].reply.sse);
      items[1].data.choices[0].finish_reason = word;
      const response = await ask(await answering(parts(items)));
      expect(response.result?.metadata.finishReason).toBe('tool_calls');
      expect(calls(response)).toEqual([{ id: 'g1', name: 'add', arguments: { a: 2, b: 3 } }]);
    },
  );

  it.each(['length', 'content_filter'])('tool calls that end with %s stay cut', async (word) => {
    const items = structuredClone(fixture('finish-words').input.exchanges[0].reply.sse);
    items[1].data.choices[0].finish_reason = word;
    const response = await ask(await answering(parts(items)));
    expect(response.result?.metadata.finishReason).toBe(word);
  });

  it('reasoning stays apart from text, and goes back only where it is wanted', async () => {
    const { input, expected } = fixture('reasoning-content');
    const replies = input.exchanges.map((exchange: { reply: { sse: Sse[] } }) => ({
      parts: parts(exchange.reply.sse),
    }));
    for (const replayReasoning of [true, false, 'reasoning_content', 'reasoning'] as const) {
      const server = await startMockServer(replies);
      closers.push(() => server.close());
      const model = new OpenAiChatModel({ baseURL: server.url, maxRetries: 0, replayReasoning });
      const first = await ask(model);
      expect(first.result?.output.reasoning.map((part) => part.text).join('')).toBe(expected.reasoning);
      expect(responseText(first)).toBe('');
      await fold(model.stream(new Prompt(first.result === undefined ? [] : [first.result.output])));
      const body = server.requests[1]?.json as { messages: Record<string, unknown>[] } | undefined;
      const sent = body?.messages[0];
      const name = replayReasoning === true ? 'reasoning_content' : replayReasoning;
      for (const one of ['reasoning_content', 'reasoning']) {
        expect(sent?.[one]).toBe(one === name ? expected.reasoning : undefined);
      }
      expect(sent?.['tool_calls']).toHaveLength(1);
    }
  });
});

import { assistantMessage, type ChatOptions, Prompt, toolResponseMessage, userMessage } from '@vernal/core';
import { OllamaChatModel, type OllamaOptions, ollamaChatOptions } from '@vernal/model-ollama';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { ollamaChatWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(() => server?.close());

type Body = Readonly<Record<string, unknown>> & { readonly options: Readonly<Record<string, unknown>> };

async function sent(options: ChatOptions, stream = false): Promise<Body> {
  server = await startMockServer(() => (stream ? ollamaChatWire.stream(['ok']) : ollamaChatWire.call(['ok'])));
  const model = new OllamaChatModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
  const prompt = new Prompt('q', options);
  if (stream) for await (const _ of model.stream(prompt));
  else await model.call(prompt);
  return server.requests[0]?.json as Body;
}

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } } as const;

/** Every own option: a value, the place in the request, and its name there. Adding an option without a row does not compile. */
const ROWS: { readonly [K in keyof OllamaOptions]: readonly [OllamaOptions[K], 'options' | 'request', string] } = {
  numa: [true, 'options', 'numa'],
  numCtx: [8192, 'options', 'num_ctx'],
  numBatch: [256, 'options', 'num_batch'],
  numGpu: [0, 'options', 'num_gpu'],
  mainGpu: [1, 'options', 'main_gpu'],
  lowVram: [true, 'options', 'low_vram'],
  f16Kv: [false, 'options', 'f16_kv'],
  logitsAll: [true, 'options', 'logits_all'],
  vocabOnly: [false, 'options', 'vocab_only'],
  useMmap: [false, 'options', 'use_mmap'],
  useMlock: [true, 'options', 'use_mlock'],
  numThread: [4, 'options', 'num_thread'],
  numKeep: [-1, 'options', 'num_keep'],
  seed: [0, 'options', 'seed'],
  numPredict: [-2, 'options', 'num_predict'],
  minP: [0.05, 'options', 'min_p'],
  tfsZ: [1, 'options', 'tfs_z'],
  typicalP: [0.7, 'options', 'typical_p'],
  repeatLastN: [33, 'options', 'repeat_last_n'],
  repeatPenalty: [1.2, 'options', 'repeat_penalty'],
  mirostat: [2, 'options', 'mirostat'],
  mirostatTau: [0.8, 'options', 'mirostat_tau'],
  mirostatEta: [0.6, 'options', 'mirostat_eta'],
  penalizeNewline: [false, 'options', 'penalize_newline'],
  stop: [['END'], 'options', 'stop'],
  think: ['high', 'request', 'think'],
  keepAlive: [-1, 'request', 'keep_alive'],
  format: ['json', 'request', 'format'],
  truncate: [false, 'request', 'truncate'],
  shift: [false, 'request', 'shift'],
  logprobs: [true, 'request', 'logprobs'],
  topLogprobs: [3, 'request', 'top_logprobs'],
};
const PORTABLE = [
  ['temperature', 0, 'temperature'],
  ['topP', 0.9, 'top_p'],
  ['topK', 20, 'top_k'],
  ['maxTokens', 7, 'num_predict'],
  ['stopSequences', ['a', 'b'], 'stop'],
  ['frequencyPenalty', 1, 'frequency_penalty'],
  ['presencePenalty', 1.5, 'presence_penalty'],
] as const;

describe('options of Ollama', () => {
  it.each(Object.entries(ROWS))('%s arrives under its name, and nothing else does', async (option, row) => {
    const [value, place, name] = row;
    const { model, messages, stream, options, ...rest } = await sent(ollamaChatOptions({ [option]: value }));
    expect({ model, stream }).toEqual({ model: 'm', stream: false });
    expect(messages).toHaveLength(1);
    expect(options).toEqual(place === 'options' ? { [name]: value } : {});
    expect(rest).toEqual(place === 'request' ? { [name]: value } : {});
  });

  it.each(PORTABLE)('the portable %s is its option too', async (option, value, name) => {
    expect((await sent({ [option]: value })).options).toEqual({ [name]: value });
  });

  it.each([true, false, 'low', 'medium'] as const)('think may be %s, in a stream as well', async (think) => {
    expect((await sent(ollamaChatOptions({ think }), true))['think']).toBe(think);
  });

  it('the own ones go before the portable ones they share a name with', async () => {
    const both = ollamaChatOptions({ maxTokens: 5, numPredict: -1, stopSequences: ['a'], stop: ['b'] });
    expect((await sent(both)).options).toEqual({ num_predict: -1, stop: ['b'] });
  });

  it('a format may be a schema; an output schema that a call asks for goes before it', async () => {
    expect((await sent(ollamaChatOptions({ format: SCHEMA })))['format']).toEqual(SCHEMA);
    await server?.close();
    expect((await sent(ollamaChatOptions({ format: 'json', outputSchema: SCHEMA })))['format']).toEqual(SCHEMA);
  });

  it('null unsets a default, and `extra` goes in as it is', async () => {
    server = await startMockServer(() => ollamaChatWire.call(['ok']));
    const defaultOptions = ollamaChatOptions({ model: 'm', seed: 1, numCtx: 2, keepAlive: '1h' });
    const model = new OllamaChatModel({ baseURL: server.url, defaultOptions });
    const options = ollamaChatOptions({ seed: null, keepAlive: null, extra: { _debug_render_only: true } });
    await model.call(new Prompt('q', options));
    expect(server.requests[0]?.json).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'q' }],
      stream: false,
      options: { num_ctx: 2 },
      _debug_render_only: true,
    });
  });

  it('a choice of tools is not declared, and refused', async () => {
    const model = new OllamaChatModel({ defaultOptions: { model: 'm' } });
    expect(model.capabilities.toolChoice).toBe(false);
    await expect(model.call(new Prompt('q', { toolChoice: 'required' }))).rejects.toMatchObject({
      code: 'unsupported_capability',
      subject: 'toolChoice',
    });
  });
});

describe('messages for Ollama', () => {
  it('calls and their results name each other; only thinking of Ollama goes back', async () => {
    server = await startMockServer(() => ollamaChatWire.call(['ok']));
    const model = new OllamaChatModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
    const toolCalls = ['call_0', 'call_1'].map((id) => ({ id, name: 'f', arguments: `{"of":"${id}"}` }));
    const reasoning = [
      { text: 'mine', provider: 'ollama' },
      { text: 'foreign', provider: 'anthropic' },
    ];
    await model.call(
      new Prompt([
        userMessage('q'),
        assistantMessage({ toolCalls, reasoning }),
        toolResponseMessage(toolCalls.map(({ id, name }) => ({ id, name, result: `result of ${id}` }))),
      ]),
    );
    expect(server.requests[0]?.json).toHaveProperty('messages', [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: '',
        thinking: 'mine',
        tool_calls: toolCalls.map(({ id }) => ({ id, function: { name: 'f', arguments: { of: id } } })),
      },
      ...toolCalls.map(({ id }) => ({
        role: 'tool',
        content: `result of ${id}`,
        tool_name: 'f',
        tool_call_id: id,
      })),
    ]);
  });
});

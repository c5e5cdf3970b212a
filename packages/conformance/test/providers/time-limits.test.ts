// Servers that fall silent, over real connections: each request ends in time, its connection is closed, and no timer is left.
import { fold, ModelError, Prompt, responseText } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel, OllamaEmbeddingModel, OllamaModelManager } from '@vernal/model-ollama';
import { OpenAiChatModel, OpenAiEmbeddingModel } from '@vernal/model-openai';
import { type BodyPart, type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

interface Limits {
  readonly timeoutMs?: number;
}

interface Provider {
  readonly name: string;
  readonly model: (baseURL: string, limits?: Limits) => OpenAiChatModel | AnthropicChatModel | OllamaChatModel;
  /** The beginning of a stream, with the text 'Hel'. */
  readonly begun: readonly BodyPart[];
  /** What an error is told as whose words never come: by its status, where that is known apart from them. */
  readonly wordless: object;
}

const json = { 'content-type': 'application/json' };
const prompt = new Prompt('q');
const late = { code: 'timeout', subject: 'timeoutMs', retryable: true };
const overloaded = { code: 'model_overloaded', status: 503, retryable: true };
const noRepeats = { maxRetries: 0 } as const;

const PROVIDERS: readonly Provider[] = [
  {
    name: 'OpenAI',
    model: (baseURL, limits) => new OpenAiChatModel({ baseURL, ...noRepeats, ...limits }),
    begun: [{ data: { choices: [{ index: 0, delta: { content: 'Hel' } }] } }],
    wordless: overloaded,
  },
  {
    name: 'Anthropic',
    model: (baseURL, limits) => new AnthropicChatModel({ baseURL, ...noRepeats, ...limits }),
    begun: [
      {
        event: 'content_block_start',
        data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      },
      {
        event: 'content_block_delta',
        data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      },
    ],
    wordless: overloaded,
  },
  {
    name: 'Ollama',
    model: (baseURL, limits) => new OllamaChatModel({ baseURL, defaultOptions: { model: 'm' }, ...limits }),
    begun: [`${JSON.stringify({ model: 'm', message: { role: 'assistant', content: 'Hel' }, done: false })}\n`],
    wordless: late,
  },
];

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The timers that were started meanwhile, still run, and keep the process alive. */
const running = new Set<NodeJS.Timeout>();

beforeEach(() => {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    act: (...given: unknown[]) => void,
    ms: number,
    ...given: unknown[]
  ) => {
    const timer = start(() => {
      running.delete(timer);
      act(...given);
    }, ms);
    running.add(timer);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    if (typeof timer === 'object') running.delete(timer);
    clear(timer);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  running.clear();
});

const timers = (): NodeJS.Timeout[] => [...running].filter((timer) => timer.hasRef());

/** What work at a server fails with; by then the server has been left, and no timer runs. */
async function leftIn(exchange: MockExchange, work: (url: string) => Promise<unknown>): Promise<unknown> {
  await using server = await startMockServer([exchange]);
  const error = await failure(work(server.url));
  expect(timers()).toEqual([]);
  await server.whenDropped(1);
  return error;
}

describe.each(PROVIDERS)('with $name', ({ model, begun, wordless }) => {
  const call = (url: string): Promise<unknown> => model(url, { timeoutMs: 60 }).call(prompt);
  const read = (url: string): Promise<unknown> => fold(model(url, { timeoutMs: 60 }).stream(prompt));

  it.each([
    ['before its first byte', []],
    ['in the middle', ['{"id": "a", ']],
  ] as const)('a body that stalls %s ends a call', async (_, parts) => {
    const error = await leftIn({ headers: json, parts: [...parts, { end: 'hang' }] }, call);
    expect(ModelError.is(error)).toBe(true);
    expect(error).toMatchObject(late);
  });

  it('a body that stalls before its first event ends a stream', async () => {
    expect(await leftIn({ parts: [{ end: 'hang' }] }, read)).toMatchObject(late);
  });

  it('a whole answer in place of a stream, too, is waited for no longer', async () => {
    expect(await leftIn({ headers: json, parts: ['{"id": ', { end: 'hang' }] }, read)).toMatchObject(late);
  });

  it('a silence in the middle ends a stream, behind what has come', async () => {
    let text = '';
    const reading = async (url: string): Promise<void> => {
      for await (const chunk of model(url, { timeoutMs: 150 }).stream(prompt)) text += responseText(chunk) ?? '';
    };
    expect(await leftIn({ parts: [...begun, { end: 'hang' }] }, reading)).toMatchObject(late);
    expect(text).toBe('Hel');
  });

  it('an error whose words never come is an error in time', async () => {
    const down: MockExchange = { status: 503, headers: json, parts: ['{"error": ', { end: 'hang' }] };
    // Its status has to come before the time is over, on a machine that is busy, too.
    const patient = (url: string) => model(url, { timeoutMs: 600 });
    expect(await leftIn(down, (url) => patient(url).call(prompt))).toMatchObject(wordless);
    expect(await leftIn(down, (url) => fold(patient(url).stream(prompt)))).toMatchObject(wordless);
  });

  it('an abort is told before the time is over', async () => {
    const stop = new AbortController();
    await using server = await startMockServer(() => ({ headers: json, parts: ['{', { end: 'hang' }] }));
    const patient = model(server.url, { timeoutMs: 60_000 });
    const called = failure(patient.call(prompt, { signal: stop.signal }));
    const streamed = failure(fold(patient.stream(prompt, { signal: stop.signal })));
    await server.whenRequested(2);
    stop.abort();
    expect(await called).toMatchObject({ code: 'aborted' });
    expect(await streamed).toMatchObject({ code: 'aborted' });
    await server.whenDropped(2);
    expect(timers()).toEqual([]);
  });

  it('leaving a stream that waits stops its time', async () => {
    await using server = await startMockServer([{ parts: [...begun, { end: 'hang' }] }]);
    const chunks = model(server.url, { timeoutMs: 60_000 }).stream(prompt)[Symbol.asyncIterator]();
    await chunks.next();
    const waiting = Promise.all([chunks.next(), chunks.next(), chunks.next()]);
    await chunks.return?.();
    await waiting;
    await server.whenDropped(1);
    expect(timers()).toEqual([]);
  });

  it('a derived model has the time that it is given', async () => {
    const derived = (url: string) => model(url, { timeoutMs: 60_000 }).with({ timeoutMs: 60 });
    expect(await leftIn({ headers: json, parts: [{ end: 'hang' }] }, (url) => derived(url).call(prompt))).toMatchObject(
      late,
    );
    const hang: MockExchange = { parts: [{ end: 'hang' }] };
    expect(await leftIn(hang, (url) => fold(derived(url).stream(prompt)))).toMatchObject(late);
  });
});

describe('embeddings', () => {
  it.each([
    ['OpenAI', (baseURL: string) => new OpenAiEmbeddingModel({ baseURL, ...noRepeats, timeoutMs: 60 })],
    [
      'Ollama',
      (baseURL: string) => new OllamaEmbeddingModel({ baseURL, timeoutMs: 60, defaultOptions: { model: 'm' } }),
    ],
  ])('of %s are waited for no longer than a call', async (_, model) => {
    const hang: MockExchange = { headers: json, parts: ['{"data": [', { end: 'hang' }] };
    expect(await leftIn(hang, (url) => model(url).embed(['a']))).toMatchObject(late);
    const stop = new AbortController();
    await using server = await startMockServer([hang]);
    const stopped = failure(model(server.url).with({ timeoutMs: 60_000 }).embed(['a'], {}, { signal: stop.signal }));
    await server.whenRequested(1);
    stop.abort();
    expect(await stopped).toMatchObject({ code: 'aborted' });
    await server.whenDropped(1);
  });
});

it("an Ollama server's list of models is waited for no longer", async () => {
  const hang: MockExchange = { headers: json, parts: ['{', { end: 'hang' }] };
  const list = (baseURL: string) => new OllamaModelManager({ baseURL, timeoutMs: 60 }).listModels();
  expect(await leftIn(hang, list)).toMatchObject(late);
  const remove = (baseURL: string) => new OllamaModelManager({ baseURL, timeoutMs: 60 }).deleteModel('m');
  expect(await leftIn({ ...hang, status: 404 }, remove)).toMatchObject(late);
});

describe('a `baseURL` that is no address', () => {
  it.each(['', 'nonsense', 'localhost:11434', '/v1', 'http://', 'ftp://host'])('is refused: %j', (baseURL) => {
    const options = { baseURL, defaultOptions: { model: 'm' } };
    for (const make of [
      () => new OpenAiChatModel(options),
      () => new OpenAiEmbeddingModel(options),
      () => new OpenAiChatModel({ apiKey: 'k' }).with({ baseURL }),
      () => new AnthropicChatModel(options),
      () => new OllamaChatModel(options),
      () => new OllamaEmbeddingModel(options),
      () => new OllamaModelManager({ baseURL }),
    ]) {
      expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'baseURL' }));
    }
  });
});

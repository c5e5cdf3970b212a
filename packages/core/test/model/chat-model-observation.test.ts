import { AsyncLocalStorage } from 'node:async_hooks';
import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatResponse,
  chatResponse,
  fold,
  jsonSchema,
  type ModelRequest,
  type Observation,
  type ObservationRegistry,
  type ObservationStart,
  Prompt,
  TEXT_ONLY,
  tool,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';

interface Recorded {
  readonly start: ObservationStart;
  readonly data: Record<string, unknown>;
  readonly errors: unknown[];
  stops: number;
}

class Registry implements ObservationRegistry {
  readonly enabled = true;
  readonly content: boolean;
  readonly recorded: Recorded[] = [];
  readonly ambient = new AsyncLocalStorage<Recorded>();

  constructor(content = false) {
    this.content = content;
  }

  start(start: ObservationStart): Observation {
    const one: Recorded = { start, data: { ...start.data }, errors: [], stops: 0 };
    this.recorded.push(one);
    return {
      kind: start.kind,
      add: (data) => void Object.assign(one.data, data),
      event: () => {},
      error: (error) => void one.errors.push(error),
      stop: () => void one.stops++,
      run: (fn) => this.ambient.run(one, fn),
    };
  }
}

class FakeModel extends BaseChatModel {
  readonly provider = 'fake';
  readonly capabilities = { ...TEXT_ONLY, tools: true };
  readonly #chunks: (request: ModelRequest) => AsyncIterable<ChatResponse>;

  constructor(chunks: (request: ModelRequest) => AsyncIterable<ChatResponse>, options: BaseChatModelOptions) {
    super(options);
    this.#chunks = chunks;
  }

  protected doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    return this.#chunks(request);
  }
}

async function* hello(): AsyncIterable<ChatResponse> {
  yield chatResponse([{ text: 'ANSWER ', metadata: {} }], { id: 'r1', model: 'm-2026', usage: { promptTokens: 3 } });
  yield chatResponse([{ text: 'MORE', metadata: { finishReason: 'stop' } }], { usage: { completionTokens: 2 } });
}

const prompt = new Prompt('QUESTION', {
  temperature: 0.5,
  maxTokens: 9,
  stopSequences: ['x'],
  tools: [tool({ name: 'weather', input: jsonSchema({ type: 'object' }), execute: () => 'sunny' })],
  toolNames: ['clock'],
});

describe('observation of a chat model', () => {
  it.each([false, true])('says what was asked and answered, without contents (stream: %s)', async (stream) => {
    const registry = new Registry();
    const parent: Observation = registry.start({ kind: 'advisor', name: 'a', data: {} });
    const model = new FakeModel(hello, { observationRegistry: registry, defaultOptions: { model: 'm' } });
    if (stream) await fold(model.stream(prompt, { observation: parent }));
    else await model.call(prompt, { observation: parent });
    const [, one] = registry.recorded;
    expect(one?.start).toMatchObject({ kind: 'chat_model', name: 'm', parent });
    expect(one?.data).toStrictEqual({
      provider: 'fake',
      stream,
      requestModel: 'm',
      responseModel: 'm-2026',
      responseId: 'r1',
      temperature: 0.5,
      maxTokens: 9,
      stopSequences: ['x'],
      toolNames: ['weather', 'clock'],
      finishReasons: ['stop'],
      usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 },
    });
    expect(one).toMatchObject({ stops: 1, errors: [] });
    expect(JSON.stringify(one?.data)).not.toMatch(/QUESTION|ANSWER/);
  });

  it('says the contents when the registry wants them', async () => {
    const registry = new Registry(true);
    await new FakeModel(hello, { observationRegistry: registry }).call(new Prompt('QUESTION'));
    expect(registry.recorded[0]?.start.name).toBe('fake');
    expect(registry.recorded[0]?.data).toMatchObject({
      inputMessages: [{ type: 'user', text: 'QUESTION' }],
      outputMessages: [{ type: 'assistant', text: 'ANSWER MORE' }],
    });
  });

  it('stops once with the error, and with what was seen until then', async () => {
    const registry = new Registry();
    const broken = new Error('reset');
    const model = new FakeModel(
      async function* () {
        yield* hello();
        throw broken;
      },
      { observationRegistry: registry },
    );
    await expect(model.call(prompt)).rejects.toBe(broken);
    await expect(fold(model.stream(prompt))).rejects.toBe(broken);
    for (const one of registry.recorded) expect(one).toMatchObject({ stops: 1, errors: [broken] });
    expect(registry.recorded[1]?.data).toMatchObject({ finishReasons: ['error'], usage: { totalTokens: 5 } });
  });

  it.each<[string, (iterator: AsyncIterator<ChatResponse>) => Promise<unknown>]>([
    ['return', async (iterator) => iterator.return?.()],
    ['throw', async (iterator) => iterator.throw?.(new Error('x')).catch(() => undefined)],
  ])('stops once when the stream is left by %s, and does not claim it was finished', async (_name, leave) => {
    const registry = new Registry();
    const iterator = new FakeModel(hello, { observationRegistry: registry }).stream(prompt)[Symbol.asyncIterator]();
    await iterator.next();
    await leave(iterator);
    await iterator.return?.();
    expect(registry.recorded[0]).toMatchObject({
      stops: 1,
      errors: [],
      data: { finishReasons: ['cancelled'], usage: { promptTokens: 3 } },
    });
  });

  it('stops once on abort: of a call, of a read, and between two reads', async () => {
    const registry = new Registry();
    const model = new FakeModel(
      async function* () {
        yield* hello();
        await new Promise(() => {});
      },
      { observationRegistry: registry },
    );
    const call = new AbortController();
    const outcome = model.call(prompt, { signal: call.signal });
    call.abort();
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' });

    const between = new AbortController();
    const iterator = model.stream(prompt, { signal: between.signal })[Symbol.asyncIterator]();
    await iterator.next();
    between.abort();
    expect(registry.recorded[1]?.stops).toBe(1);

    const reading = new AbortController();
    const folded = fold(model.stream(prompt, { signal: reading.signal }));
    setImmediate(() => reading.abort());
    await expect(folded).rejects.toMatchObject({ code: 'aborted' });
    expect(registry.recorded).toHaveLength(3);
    for (const one of registry.recorded) expect(one).toMatchObject({ stops: 1, errors: [{ code: 'aborted' }] });
    expect(registry.recorded[2]?.data['finishReasons']).toEqual(['cancelled']);
  });

  it('is the ambient parent of whatever the provider starts, in calls and in every read', async () => {
    const registry = new Registry();
    const seen: (Recorded | undefined)[] = [];
    const model = new FakeModel(
      async function* () {
        for (let i = 0; i < 2; i++) {
          await Promise.resolve();
          seen.push(registry.ambient.getStore());
          yield chatResponse('x');
        }
      },
      { observationRegistry: registry },
    );
    await model.call(prompt);
    await fold(model.stream(prompt));
    const [call, stream] = registry.recorded;
    expect(seen).toEqual([call, call, stream, stream]);
    expect(registry.ambient.getStore()).toBeUndefined();
  });

  it('is not started for a request that is refused, nor by a registry that is off', async () => {
    const registry = new Registry();
    const refused = new FakeModel(hello, { observationRegistry: registry });
    await expect(refused.call(new Prompt('x', { outputSchema: {} }))).rejects.toMatchObject({
      code: 'unsupported_capability',
    });
    const off = Object.assign(new Registry(), { enabled: false });
    await new FakeModel(hello, { observationRegistry: off }).call(prompt);
    await fold(new FakeModel(hello, { observationRegistry: off }).stream(prompt));
    expect([...registry.recorded, ...off.recorded]).toEqual([]);
  });
});

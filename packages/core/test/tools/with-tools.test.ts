import { getEventListeners } from 'node:events';
import {
  assistantMessage,
  BaseChatModel,
  type ChatModelCapabilities,
  type ChatOptions,
  type ChatResponse,
  callText,
  chatResponse,
  fold,
  type GenerationInput,
  type Message,
  type ModelRequest,
  type PendingApproval,
  Prompt,
  responseText,
  staticToolResolver,
  TEXT_ONLY,
  ToolCallingManager,
  tool,
  type Usage,
  userMessage,
  withTools,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { calling } from './tool-calls.js';

type Turn = readonly ChatResponse[] | ((request: ModelRequest) => readonly ChatResponse[]);

/** Plays one turn a request, chunk by chunk. */
class Script extends BaseChatModel {
  readonly provider = 'script';
  readonly capabilities: ChatModelCapabilities = { ...TEXT_ONLY, tools: true, toolChoice: true };
  readonly requests: ModelRequest[] = [];
  readonly closed: boolean[] = [];
  readonly #turns: readonly Turn[];

  constructor(turns: readonly Turn[], defaultOptions: ChatOptions = {}) {
    super({ defaultOptions });
    this.#turns = turns;
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const index = this.requests.push(request) - 1;
    const turn = this.#turns[index] ?? this.#turns.at(-1) ?? [];
    try {
      yield* typeof turn === 'function' ? turn(request) : turn;
    } finally {
      this.closed[index] = true;
    }
  }
}

const weather = tool({
  name: 'weather',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
});
const now = tool({ name: 'now', returnDirect: true, execute: () => 'noon' });

const chunk = (generation: GenerationInput, usage?: Usage): ChatResponse =>
  chatResponse([generation], { ...(usage ? { usage } : {}) });
const text = (part: string, usage?: Usage) => chunk({ text: part }, usage);
const call = (name: string, args: string, id = 'c1') => [
  chunk({ toolCallDeltas: [{ index: 0, id, name, arguments: args.slice(0, 4) }] }),
  chunk({ toolCallDeltas: [{ index: 0, arguments: args.slice(4) }] }),
  chunk({ metadata: { finishReason: 'tool_calls' } }),
];
const stop = (usage?: Usage) => chunk({ metadata: { finishReason: 'stop' } }, usage);
const askWeather = call('weather', '{"city":"Delft"}');
const prompt = (options: ChatOptions = {}) => new Prompt('Weather?', { tools: [weather, now], ...options });

async function collect(chunks: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const all: ChatResponse[] = [];
  for await (const one of chunks) all.push(one);
  return all;
}

describe('withTools', () => {
  it('asks, runs, asks again', async () => {
    const script = new Script([askWeather, [text('It '), text('rains'), stop()]]);
    const response = await withTools(script).call(prompt());
    expect(responseText(response)).toBe('It rains');
    expect(response.result?.metadata.finishReason).toBe('stop');
    expect(response.result?.output.toolCalls).toEqual([]);
    expect(script.requests[1]?.messages).toMatchObject([
      { type: 'user', text: 'Weather?' },
      { type: 'assistant', toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Delft"}' }] },
      { type: 'tool', responses: [{ id: 'c1', name: 'weather', result: 'rain in Delft' }] },
    ]);
    expect(await callText(withTools(new Script([askWeather, [text('again')]])), prompt())).toBe('again');
  });

  it('recovers from a tool that does not exist and from arguments that are cut', async () => {
    const two = [
      chunk({
        output: assistantMessage({ toolCalls: [calling('u1', 'central_list_sites'), calling('u2', 'now', '')] }),
      }),
    ];
    const script = new Script([two, call('weather', '{"city":"De'), askWeather, [text('It is noon')]]);
    const plainNow = tool({ name: 'now', execute: () => 'noon' });
    expect(responseText(await withTools(script).call(prompt({ tools: [weather, plainNow] })))).toBe('It is noon');
    expect(script.requests[1]?.messages.at(-1)).toMatchObject({
      responses: [
        { id: 'u1', isError: true, result: expect.stringMatching(/does not exist.*weather, now/) },
        { id: 'u2', result: 'noon' },
      ],
    });
    expect(script.requests[1]?.messages.at(-2)).toMatchObject({
      toolCalls: [{ arguments: '{}' }, { arguments: '{}' }],
    });
    expect(script.requests[2]?.messages.at(-1)).toMatchObject({ responses: [{ id: 'c1', isError: true }] });
  });

  it('streams text as it comes, without tool calls', async () => {
    const script = new Script([
      [text('Let me '), text('see. '), ...askWeather],
      [text('It '), text('rains'), stop()],
    ]);
    const chunks = await collect(withTools(script).stream(prompt()));
    expect(chunks.map(responseText).filter((part) => part !== '')).toEqual(['Let me ', 'see. ', 'It ', 'rains']);
    expect(
      chunks.every(({ results }) =>
        results.every(({ output, toolCallDeltas }) => output.toolCalls.length === 0 && toolCallDeltas === undefined),
      ),
    ).toBe(true);
    expect(
      chunks
        .flatMap(({ results }) => results.map(({ metadata }) => metadata.finishReason))
        .filter((r) => r !== undefined),
    ).toEqual(['stop']);
  });

  it('sums usage over the rounds, the last chunk holding it all', async () => {
    const rounds = [
      [...askWeather, chatResponse([], { usage: { promptTokens: 10, completionTokens: 2 } })],
      [text('It rains', { promptTokens: 20 }), stop({ promptTokens: 20, completionTokens: 3 })],
    ];
    const wanted = {
      promptTokens: 30,
      completionTokens: 5,
      totalTokens: 35,
      rounds: [
        { promptTokens: 10, completionTokens: 2, totalTokens: 12 },
        { promptTokens: 20, completionTokens: 3, totalTokens: 23 },
      ],
    };
    expect((await withTools(new Script(rounds)).call(prompt())).metadata.usage).toEqual(wanted);
    const chunks = await collect(withTools(new Script(rounds)).stream(prompt()));
    expect(chunks.at(-1)?.metadata.usage).toEqual(wanted);
    expect((await fold(chunks)).metadata.usage).toEqual(wanted);
  });

  it('keeps the usage of earlier rounds when the last one says nothing', async () => {
    const rounds = [[...askWeather, chatResponse([], { usage: { promptTokens: 10 } })], [text('It rains')]];
    expect((await withTools(new Script(rounds)).call(prompt())).metadata.usage).toEqual({ promptTokens: 10 });
    expect((await fold(withTools(new Script(rounds)).stream(prompt()))).metadata.usage).toEqual({ promptTokens: 10 });
  });

  it('keeps reasoning of different rounds apart', async () => {
    const thinking = (part: string, signature: string) => [
      chunk({ output: assistantMessage({ reasoning: [{ text: part, index: 0 }] }) }),
      chunk({ output: assistantMessage({ reasoning: [{ signature, index: 0 }] }) }),
    ];
    const rounds = [
      [...thinking('a', 'sig-a'), ...askWeather],
      [...thinking('b', 'sig-b'), text('done')],
    ];
    const response = await fold(withTools(new Script(rounds)).stream(prompt()));
    expect(response.result?.output.reasoning).toEqual([
      { text: 'a', signature: 'sig-a' },
      { text: 'b', signature: 'sig-b' },
    ]);
  });

  it('gives the results of tools that are the answer, one generation each', async () => {
    const script = new Script([
      [chunk({ output: assistantMessage({ toolCalls: [calling('1', 'now'), calling('2', 'now')] }) })],
    ]);
    const response = await withTools(script).call(prompt());
    expect(response.results).toMatchObject([
      { index: 0, output: { text: 'noon' }, metadata: { finishReason: 'return_direct', toolId: '1', toolName: 'now' } },
      { index: 1, output: { text: 'noon' }, metadata: { finishReason: 'return_direct', toolId: '2', toolName: 'now' } },
    ]);
    expect(script.requests).toHaveLength(1);
  });

  it.each(['call', 'stream'] as const)('stops after maxRounds, 25 by default, with the history (%s)', async (mode) => {
    const executed = vi.fn(() => 'again');
    const loop = tool({ name: 'look', input: z.object({ x: z.string() }), execute: executed });
    let id = 0;
    const endless = () =>
      new Script([() => [...call('look', '{"x":""}', `id${id++}`), chatResponse([], { usage: { promptTokens: 1 } })]]);
    const ask = async (maxRounds?: number) => {
      executed.mockClear();
      const model = withTools(endless(), { maxRounds });
      return mode === 'call'
        ? model.call(new Prompt('q', { tools: [loop] }))
        : fold(model.stream(new Prompt('q', { tools: [loop] })));
    };
    const response = await ask();
    expect(executed).toHaveBeenCalledTimes(25);
    expect(response.result?.metadata.finishReason).toBe('tool_call_limit');
    expect(response.metadata.usage.promptTokens).toBe(25);
    const short = await ask(3);
    expect(executed).toHaveBeenCalledTimes(3);
    expect((short.metadata['conversationHistory'] as Message[]).map(({ type }) => type).join()).toBe(
      'user,assistant,tool,assistant,tool,assistant,tool',
    );
    expect(short.metadata.usage.rounds).toHaveLength(3);
  });

  it.each(['call', 'stream'] as const)("ends at the manager's limits, every call answered (%s)", async (mode) => {
    const script = new Script([askWeather]);
    const model = withTools(script, { manager: new ToolCallingManager({ limits: { perTool: 3 } }) });
    const response = mode === 'call' ? await model.call(prompt()) : await fold(model.stream(prompt()));
    expect(script.requests).toHaveLength(4);
    expect(response.result?.metadata.finishReason).toBe('tool_call_limit');
    expect(responseText(response)).toContain("'weather' may be called 3 times");
    const history = response.metadata['conversationHistory'] as Message[];
    expect(history.at(-1)).toMatchObject({ type: 'tool', responses: [{ id: 'c1', isError: true }] });
    const strict = withTools(new Script([askWeather]), {
      manager: new ToolCallingManager({ limits: { perTool: 3, onExceeded: 'throw' } }),
    });
    await expect(mode === 'call' ? strict.call(prompt()) : fold(strict.stream(prompt()))).rejects.toMatchObject({
      code: 'tool_limit',
      limit: 3,
    });
  });

  it('lets go of a forced tool choice once it was obeyed', async () => {
    for (const toolChoice of ['required', { tool: 'weather' }] as const) {
      const script = new Script([askWeather, [text('done')]]);
      await withTools(script).call(prompt({ toolChoice }));
      expect(script.requests.map(({ options }) => options.toolChoice)).toEqual([toolChoice, 'auto']);
    }
  });

  it("offers the model's default tools and those a resolver finds", async () => {
    const script = new Script([call('weather', '{"city":"a"}'), call('late', '{}', 'c2'), [text('done')]], {
      tools: [weather],
      toolContext: { tenant: 'acme' },
    });
    const late = tool({ name: 'late', execute: (_, { values }) => String(values['tenant']) });
    const model = withTools(script, { manager: new ToolCallingManager({ resolver: staticToolResolver([late]) }) });
    await model.call(new Prompt('q', { toolNames: ['late'] }));
    expect(script.requests[0]?.options.tools?.map(({ definition }) => definition.name)).toEqual(['weather', 'late']);
    expect(script.requests[2]?.messages.at(-1)).toMatchObject({ responses: [{ result: 'acme' }] });
  });

  it('passes everything through when there are no tools', async () => {
    const script = new Script([askWeather]);
    const model = withTools(script);
    expect((await model.call(new Prompt('q'))).result?.output.toolCalls).toHaveLength(1);
    expect((await fold(model.stream(new Prompt('q', { tools: [] })))).result?.output.toolCalls).toHaveLength(1);
    expect([model.provider, model.capabilities, model.defaultOptions]).toEqual([
      script.provider,
      script.capabilities,
      script.defaultOptions,
    ]);
  });

  it('waits for approval with all that is needed to go on', async () => {
    const approvalKey = new Uint8Array(32).fill(7);
    const manager = new ToolCallingManager({ approvalKey, approve: () => ({ type: 'defer' }) });
    const script = new Script([[text('I would. '), ...askWeather], [text('It rains')]]);
    const response = await withTools(script, { manager }).call(prompt());
    expect(response.result).toMatchObject({
      output: { text: 'I would. ', toolCalls: [] },
      metadata: { finishReason: 'approval' },
    });
    const pending = response.metadata['pendingApproval'] as PendingApproval;
    expect(pending.calls).toEqual([calling('c1', 'weather', '{"city":"Delft"}')]);
    const { conversationHistory } = await manager.resume(pending, { c1: { type: 'approve' } }, { tools: [weather] });
    expect(await callText(withTools(script, { manager }), prompt().withMessages(conversationHistory))).toBe('It rains');
  });

  it('is lazy, read once, and closes the model when left', async () => {
    const script = new Script([[text('a'), text('b')]]);
    const stream = withTools(script).stream(prompt());
    expect(script.requests).toHaveLength(0);
    for await (const first of stream) {
      expect(responseText(first)).toBe('a');
      break;
    }
    expect(script.closed).toEqual([true]);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it.each(['call', 'stream'] as const)(
    'ends on an abort in the middle of a tool, leaving nothing behind (%s)',
    async (mode) => {
      const controller = new AbortController();
      const endless = tool({
        name: 'weather',
        execute: () => {
          controller.abort(new Error('left'));
          return new Promise(() => {});
        },
      });
      const script = new Script([askWeather]);
      const model = withTools(script);
      const asked = new Prompt([userMessage('q')], { tools: [endless] });
      const context = { signal: controller.signal };
      await expect(
        mode === 'call' ? model.call(asked, context) : fold(model.stream(asked, context)),
      ).rejects.toMatchObject({ code: 'aborted' });
      expect(script.requests).toHaveLength(1);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    },
  );

  it('refuses fewer rounds than one', () => {
    expect(() => withTools(new Script([]), { maxRounds: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'maxRounds' }),
    );
  });

  it('call is the fold of stream, however the model cuts its rounds', async () => {
    const piece = fc.oneof(
      fc.string({ minLength: 1, maxLength: 3 }).map((part) => text(part)),
      fc
        .record({ promptTokens: fc.nat(9), completionTokens: fc.nat(9) })
        .map((usage) => chatResponse([], { usage, model: 'm', id: 'r' })),
      fc
        .constantFrom('a', 'b')
        .map((part) => chunk({ output: assistantMessage({ reasoning: [{ text: part, index: 0 }] }) })),
      fc.constant(chunk({ metadata: { custom: true } })),
    );
    const calls = fc.constantFrom(askWeather, call('weather', '{'), call('none', '{}', 'n'), [
      chunk({
        output: assistantMessage({ toolCalls: [calling('1', 'now', ''), calling('2', 'weather', '{"city":"x"}')] }),
      }),
    ]);
    const round = fc
      .tuple(
        fc.array(piece, { maxLength: 4 }),
        calls,
        fc.array(
          piece.filter((one) => responseText(one) === ''),
          { maxLength: 2 },
        ),
      )
      .map((parts) => parts.flat());
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { maxLength: 3 }),
        fc.array(piece, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (rounds, last, maxRounds) => {
          const turns = [...rounds, [...last, stop()]];
          const streamed = await fold(withTools(new Script(turns), { maxRounds }).stream(prompt()));
          const called = await withTools(new Script(turns), { maxRounds }).call(prompt());
          expect(streamed).toEqual(called);
        },
      ),
      { numRuns: 150 },
    );
  });
});

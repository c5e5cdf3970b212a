import {
  ChatClient,
  type ChatClientResponse,
  foldClient,
  ToolCallingAdvisor,
  type ToolRound,
  withRequest,
} from '@vernal/client-chat';
import {
  type ChatResponse,
  fold,
  type Message,
  responseText,
  systemMessage,
  ToolCallingManager,
  tool,
  type Usage,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const weather = tool({
  name: 'weather',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `${city}: rain`,
});
const time = tool({ name: 'time', execute: () => 'noon' });

const callWeather: ScriptStep = { toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }] };

function shapes(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.type === 'tool') return `tool: ${message.responses.map(({ result }) => result).join(' | ')}`;
    const calls = message.type === 'assistant' ? message.toolCalls.map(({ name }) => ` ->${name}`).join('') : '';
    return `${message.type}: ${message.text}${calls}`;
  });
}

/** One run, by call or by stream, seen whole. */
async function run(
  mode: 'call' | 'stream',
  steps: readonly ScriptStep[],
  build: (model: ScriptedChatModel) => ChatClient = (model) =>
    ChatClient.builder(model).defaultTools(weather, time).build(),
): Promise<{
  model: ScriptedChatModel;
  response: ChatClientResponse;
  answer: ChatResponse;
  chunks: ChatClientResponse[];
}> {
  const model = new ScriptedChatModel(steps);
  const spec = build(model).prompt('q');
  const chunks = mode === 'stream' ? await collect(spec.stream().chatClientResponse()) : [];
  const response = mode === 'call' ? await spec.call().chatClientResponse() : await foldClient(toStream(chunks));
  const { chatResponse } = response;
  if (chatResponse === undefined) throw new Error('no answer');
  return { model, response, answer: chatResponse, chunks };
}

async function* toStream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

describe.each(['call', 'stream'] as const)('the tool loop in a %s', (mode) => {
  it('runs tools until an answer calls none', async () => {
    const usage = (promptTokens: number, completionTokens: number): Usage => ({ promptTokens, completionTokens });
    const { model, response, answer } = await run(mode, [
      {
        toolCalls: [
          { id: 'a', name: 'weather', arguments: { city: 'Delft' } },
          { id: 'b', name: 'time', arguments: {} },
        ],
        usage: usage(10, 1),
      },
      { text: 'It rains.', usage: usage(20, 2) },
    ]);
    expect(model.prompts.map(({ messages }) => shapes(messages))).toEqual([
      ['user: q'],
      ['user: q', 'assistant:  ->weather ->time', 'tool: Delft: rain | noon'],
    ]);
    expect(shapes(response.turn)).toEqual([
      'user: q',
      'assistant:  ->weather ->time',
      'tool: Delft: rain | noon',
      'assistant: It rains.',
    ]);
    expect(responseText(answer)).toBe('It rains.');
    expect(answer.result?.output.toolCalls).toEqual([]);
    expect(answer.result?.metadata.finishReason).toBe('stop');
    expect(answer.metadata.usage).toMatchObject({ promptTokens: 30, completionTokens: 3 });
    expect(answer.metadata.usage.rounds).toHaveLength(2);
    model.assertComplete();
  });

  it('tells the model of a tool that does not exist, and goes on', async () => {
    const { model, answer } = await run(mode, [
      {
        toolCalls: [
          { id: 'u1', name: 'central_list_sites', arguments: {} },
          { id: 'u2', name: 'time', arguments: {} },
        ],
      },
      'It is noon',
    ]);
    const answers = model.prompts[1]?.messages.at(-1);
    expect(answers).toMatchObject({
      type: 'tool',
      responses: [
        { id: 'u1', isError: true },
        { id: 'u2', result: 'noon' },
      ],
    });
    expect(JSON.stringify(answers)).toMatch(/weather/);
    expect(responseText(answer)).toBe('It is noon');
  });

  it('names the tool in strict mode', async () => {
    const manager = new ToolCallingManager({ throwOnError: true });
    await expect(
      run(mode, [{ toolCalls: [{ name: 'nothing', arguments: {} }] }], (model) =>
        ChatClient.create(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) }),
      ),
    ).rejects.toMatchObject({ code: 'tool_not_found', message: expect.stringContaining('nothing') });
  });

  it.each(['{"city":"/a', '{city: "a"}', '{"city":"a"}}', '<tool>a</tool>', '{"town":"a"}'])(
    'does not run a tool for the arguments %s, and says so',
    async (bad) => {
      const { model, answer } = await run(mode, [
        { toolCalls: [{ id: 'x', name: 'weather', arguments: bad }] },
        callWeather,
        'saved',
      ]);
      expect(model.prompts[1]?.messages.at(-1)).toMatchObject({ responses: [{ id: 'x', isError: true }] });
      const sent = model.prompts[1]?.messages.at(-2);
      const args = sent?.type === 'assistant' ? sent.toolCalls[0]?.arguments : undefined;
      expect(JSON.parse(args ?? '')).toBeTypeOf('object');
      expect(responseText(answer)).toBe('saved');
    },
  );

  it('answers every call of a round in order, when some of them fail', async () => {
    const tools = [
      tool({ name: 'ok', execute: () => 'fine' }),
      tool({
        name: 'throws',
        execute: () => {
          throw new Error('disk PATH-7f1 failed');
        },
      }),
      tool({ name: 'rejects', execute: () => Promise.reject('text') }),
      tool({ name: 'nothing', execute: () => Promise.reject(undefined) }),
      tool({
        name: 'late',
        execute: async () => {
          await Promise.resolve();
          throw new Error('late');
        },
      }),
    ];
    const { model } = await run(
      mode,
      [{ toolCalls: tools.map(({ definition: { name } }) => ({ id: name, name, arguments: {} })) }, 'done'],
      (scripted) => ChatClient.builder(scripted).defaultTools(tools).build(),
    );
    const last = model.prompts[1]?.messages.at(-1);
    if (last?.type !== 'tool') throw new Error('no answers');
    expect(last.responses.map(({ id }) => id)).toEqual(['ok', 'throws', 'rejects', 'nothing', 'late']);
    expect(last.responses.map(({ isError }) => isError === true)).toEqual([false, true, true, true, true]);
    expect(last.responses.every(({ result }) => result !== '')).toBe(true);
    expect(JSON.stringify(last)).not.toContain('at ');
  });

  it('ends a turn that calls for ever, with all rounds answered and counted', async () => {
    const forEver = Array.from({ length: 25 }, (): ScriptStep => ({ ...callWeather, usage: { totalTokens: 1 } }));
    const three = (model: ScriptedChatModel) =>
      ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ maxRounds: 3 }) })
        .defaultTools(weather)
        .build();
    for (const [rounds, build] of [
      [25, undefined],
      [3, three],
    ] as const) {
      const { model, response, answer } = await run(mode, forEver.slice(0, rounds), build);
      expect(answer.result?.metadata.finishReason).toBe('tool_call_limit');
      expect(answer.metadata.usage.totalTokens).toBe(rounds);
      expect(response.turn.filter(({ type }) => type === 'tool')).toHaveLength(rounds);
      expect(response.turn.at(-1)?.type).toBe('assistant');
      model.assertComplete();
    }
  });

  it('ends by the limits of the manager, or throws by its setting', async () => {
    const build = (onExceeded: 'stop' | 'throw') => (model: ScriptedChatModel) =>
      ChatClient.builder(model, {
        toolCallingAdvisor: new ToolCallingAdvisor({
          manager: new ToolCallingManager({ limits: { perTool: 1, onExceeded } }),
        }),
      })
        .defaultTools(weather)
        .build();
    const { answer, response } = await run(mode, [callWeather, callWeather], build('stop'));
    expect(answer.result?.metadata.finishReason).toBe('tool_call_limit');
    expect(shapes(response.turn).filter((shape) => shape.startsWith('tool'))).toHaveLength(2);
    await expect(run(mode, [callWeather, callWeather], build('throw'))).rejects.toMatchObject({ code: 'tool_limit' });
  });

  it('gives the result of a returnDirect tool as the answer', async () => {
    const direct = tool({ name: 'direct', returnDirect: true, execute: () => 'the result' });
    const { model, response, answer } = await run(
      mode,
      [{ toolCalls: [{ name: 'direct', arguments: {} }], usage: { totalTokens: 4 } }],
      (scripted) => ChatClient.builder(scripted).defaultTools(direct).build(),
    );
    expect(responseText(answer)).toBe('the result');
    expect(answer.result?.metadata).toMatchObject({ finishReason: 'return_direct', toolName: 'direct' });
    expect(answer.metadata.usage.totalTokens).toBe(4);
    expect(shapes(response.turn)).toEqual([
      'user: q',
      'assistant:  ->direct',
      'tool: the result',
      'assistant: the result',
    ]);
    model.assertComplete();
  });

  it('calls its hooks around every round, and keeps what they change', async () => {
    const rounds: string[] = [];
    const advisor = new ToolCallingAdvisor({
      beforeRound: async (round: ToolRound) => {
        rounds.push(`before ${round.index} ${round.usage.totalTokens ?? 0}`);
        return round.index === 0
          ? withRequest(round.request, {
              prompt: round.request.prompt.withOptions({ temperature: 0, tools: [weather, time] }),
            })
          : round.request;
      },
      afterRound: (round, response) => {
        rounds.push(`after ${round.index}`);
        return response;
      },
    });
    const { model, answer } = await run(
      mode,
      [
        { toolCalls: [{ name: 'time', arguments: {} }], usage: { totalTokens: 5 } },
        { text: 'ok', usage: { totalTokens: 6 } },
      ],
      (scripted) => ChatClient.create(scripted, { toolCallingAdvisor: advisor }),
    );
    expect(rounds).toEqual(['before 0 0', 'after 0', 'before 1 5', 'after 1']);
    expect(model.prompts.map(({ options }) => options.temperature)).toEqual([0, 0]);
    expect(model.prompts[1]?.messages.at(-1)).toMatchObject({ responses: [{ result: 'noon' }] });
    expect(answer.metadata.usage.totalTokens).toBe(11);
  });

  it('asks `eligible` whether tools run', async () => {
    const { model, answer } = await run(mode, [callWeather], (scripted) =>
      ChatClient.builder(scripted, { toolCallingAdvisor: new ToolCallingAdvisor({ eligible: () => false }) })
        .defaultTools(weather)
        .build(),
    );
    expect(answer.result?.output.toolCalls).toMatchObject([{ name: 'weather' }]);
    model.assertComplete();
  });

  it('hands tool calls back when it is switched off', async () => {
    for (const build of [
      (model: ScriptedChatModel) => ChatClient.builder(model).defaultTools(weather).toolCalling(false).build(),
      (model: ScriptedChatModel) =>
        ChatClient.builder(model)
          .defaultAdvisors(new ToolCallingAdvisor())
          .defaultTools(weather)
          .toolCalling(false)
          .build(),
    ]) {
      const { answer, response } = await run(mode, [callWeather], build);
      expect(answer.result?.output.toolCalls).toMatchObject([{ name: 'weather', arguments: '{"city":"Delft"}' }]);
      expect(answer.result?.metadata.finishReason).toBe('tool_calls');
      expect(shapes(response.turn)).toEqual(['user: q', 'assistant:  ->weather']);
    }
  });

  it('runs tools named by a resolver, and tools that the model has by default', async () => {
    const manager = new ToolCallingManager({ resolver: { resolve: (name) => (name === 'time' ? time : undefined) } });
    const named = await run(mode, [{ toolCalls: [{ name: 'time', arguments: {} }] }, 'ok'], (model) =>
      ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) })
        .defaultToolNames('time')
        .build(),
    );
    expect(named.model.prompts[0]?.options.tools?.map(({ definition: { name } }) => name)).toEqual(['time']);
    expect(named.model.prompts[1]?.messages.at(-1)).toMatchObject({ responses: [{ result: 'noon' }] });
    const model = new ScriptedChatModel([callWeather, 'ok'], { defaultOptions: { tools: [weather] } });
    const spec = ChatClient.create(model).prompt('q');
    if (mode === 'call') await spec.call().content();
    else await collect(spec.stream().content());
    expect(model.prompts[1]?.messages.at(-1)).toMatchObject({ responses: [{ result: 'Delft: rain' }] });
  });

  it('hands tool context to the tools and never to the model; the request wins', async () => {
    const seen: unknown[] = [];
    const spy = tool({
      name: 'spy',
      execute: (_, context) => {
        seen.push(context.values);
        return 'ok';
      },
    });
    const model = new ScriptedChatModel([{ toolCalls: [{ name: 'spy', arguments: {} }] }, 'done']);
    const spec = ChatClient.builder(model)
      .defaultTools(spy)
      .defaultToolContext({ tenant: 'acme', user: 1 })
      .build()
      .prompt('q')
      .toolContext({ user: 7 });
    if (mode === 'call') await spec.call().content();
    else await collect(spec.stream().content());
    expect(seen).toEqual([{ tenant: 'acme', user: 7 }]);
    expect(JSON.stringify(model.prompts.map(({ messages }) => messages))).not.toContain('acme');
  });

  it('rejects with the abort when it comes while a tool runs', async () => {
    const controller = new AbortController();
    const slow = tool({
      name: 'slow',
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          controller.abort();
        }),
    });
    const model = new ScriptedChatModel([{ toolCalls: [{ name: 'slow', arguments: {} }] }]);
    const spec = ChatClient.create(model).prompt('q').tools(slow).signal(controller.signal);
    await expect(mode === 'call' ? spec.call().content() : collect(spec.stream().content())).rejects.toMatchObject({
      code: 'aborted',
    });
    model.assertComplete();
  });
});

describe('tools of a request', () => {
  it('take the place of the defaults, or stand beside them; two of one name are refused at once', async () => {
    const model = new ScriptedChatModel(['1', '2', '3', '4', '5']);
    const client = ChatClient.builder(model).defaultTools(weather).build();
    await client.prompt('q').call().content();
    await client.prompt('q').tools(time).call().content();
    await client.prompt('q').addTools([time]).call().content();
    await client.prompt('q').tools().call().content();
    await client.prompt('q').tools().addTools(time).call().content();
    const names = model.prompts.map(({ options }) => options.tools?.map(({ definition: { name } }) => name) ?? []);
    expect(names).toEqual([['weather'], ['time'], ['weather', 'time'], [], ['time']]);
    const twice = expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining("'weather'") });
    expect(() => client.prompt('q').addTools(weather)).toThrow(twice);
    expect(() => ChatClient.builder(model).defaultTools(weather, weather)).toThrow(twice);
    expect(() => client.prompt('q').tools(weather)).not.toThrow();
  });

  it('take the place of the names of tools, too', async () => {
    const manager = new ToolCallingManager({ resolver: { resolve: (name) => tool({ name, execute: () => 'ok' }) } });
    const model = new ScriptedChatModel(['1', '2', '3']);
    const client = ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) })
      .defaultToolNames('one')
      .build();
    await client.prompt('q').toolNames('two').call().content();
    await client.prompt('q').tools(time).toolNames('two').call().content();
    await client.prompt('q').tools().call().content();
    const names = model.prompts.map(({ options }) => options.tools?.map(({ definition: { name } }) => name) ?? []);
    expect(names).toEqual([['one', 'two'], ['time', 'two'], []]);
  });

  it('come from providers, which are asked when the call starts', async () => {
    let asked = 0;
    const provider = {
      toolCallbacks: async () => {
        asked++;
        return [time];
      },
    };
    const model = new ScriptedChatModel(['1', '2']);
    const spec = ChatClient.builder(model).defaultTools(provider, weather).build().prompt('q');
    expect(asked).toBe(0);
    await spec.call().content();
    await collect(spec.stream().content());
    expect(asked).toBe(2);
    expect(model.prompts[1]?.options.tools?.map(({ definition: { name } }) => name)).toEqual(['time', 'weather']);
    const clash = ChatClient.create(model).prompt('q').tools(provider, time);
    await expect(clash.call().content()).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a stream with tools', () => {
  it('lets text out as it comes, and no tool calls', async () => {
    const { chunks } = await run('stream', [
      { text: 'Let me look.', ...(typeof callWeather === 'object' ? callWeather : {}), chunks: [4, 4] },
      'It rains.',
    ]);
    const texts = chunks.map(({ chatResponse }) => (chatResponse === undefined ? '' : responseText(chatResponse)));
    expect(texts.filter((text) => text !== '')).toEqual(['Let ', 'me l', 'ook.', 'It', ' rains.']);
    for (const { chatResponse } of chunks) {
      expect(chatResponse?.results.some(({ toolCallDeltas }) => toolCallDeltas !== undefined) ?? false).toBe(false);
      expect(chatResponse?.results.some(({ output }) => output.toolCalls.length > 0) ?? false).toBe(false);
      expect(chatResponse?.result?.metadata.finishReason).not.toBe('tool_calls');
    }
    expect(chunks.slice(0, -1).every(({ turn }) => turn.length === 0)).toBe(true);
    expect(chunks.at(-1)?.turn).toHaveLength(4);
  });

  it('is closed, and asks no further, when the consumer leaves between rounds', async () => {
    const model = new ScriptedChatModel([{ text: 'Let me look.', toolCalls: [{ name: 'time', arguments: {} }] }]);
    for await (const _ of ChatClient.create(model).prompt('q').tools(time).stream().content()) break;
    model.assertComplete();
  });

  it('keeps the reasoning of each round apart', async () => {
    const steps: ScriptStep[] = [
      { reasoning: 'first thought', ...(callWeather as object) },
      { reasoning: 'second', text: 'ok' },
    ];
    const streamed = await run('stream', steps);
    const called = await run('call', steps);
    const texts = (response: ChatResponse) => response.result?.output.reasoning.map(({ text }) => text);
    expect(texts(streamed.answer)).toEqual(['first thought', 'second']);
    expect(texts(called.answer)).toEqual(['first thought', 'second']);
  });

  it('has a system message from a hook once', async () => {
    const advisor = new ToolCallingAdvisor({
      beforeRound: ({ request }) =>
        withRequest(request, { prompt: request.prompt.augmentSystemMessage(systemMessage('round').text) }),
    });
    const model = new ScriptedChatModel([callWeather, 'ok']);
    await collect(
      ChatClient.create(model, { toolCallingAdvisor: advisor }).prompt('q').tools(weather).stream().content(),
    );
    expect(model.prompts.map(({ systemMessages }) => systemMessages.length)).toEqual([1, 1]);
  });
});

it('fold of the stream is the answer of the call', async () => {
  const steps: ScriptStep[] = [
    { text: 'Looking. ', ...(callWeather as object) },
    { text: 'It rains.', usage: { totalTokens: 3 } },
  ];
  const { answer } = await run('call', steps);
  const model = new ScriptedChatModel(steps);
  const folded = await fold(
    ChatClient.builder(model).defaultTools(weather).build().prompt('q').stream().chatResponse(),
  );
  expect(folded).toEqual(answer);
  expect(responseText(answer)).toBe('Looking. It rains.');
});

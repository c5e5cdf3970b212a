// Who drives the tool loop, and what advisors around and inside of it may change.
import {
  type AnyAdvisor,
  BaseAdvisor,
  type CallAdvisor,
  ChatClient,
  type ChatClientBuilder,
  type ChatClientRequest,
  type ChatClientRequestSpec,
  type ChatClientResponse,
  foldClient,
  MessageChatMemoryAdvisor,
  PromptChatMemoryAdvisor,
  type StreamAdvisor,
  ToolCallingAdvisor,
  withRequest,
} from '@vernal/client-chat';
import {
  assistantMessage,
  type ChatModel,
  type ChatOptions,
  type ChatResponse,
  chatResponse,
  type Message,
  MessageWindowChatMemory,
  type Prompt,
  TEXT_ONLY,
  ToolCallingManager,
  tool,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const contexts: unknown[] = [];
const look = tool({
  name: 'look',
  execute: (_, { values }) => {
    contexts.push(values);
    return 'seen';
  },
});
const other = tool({ name: 'other', execute: () => 'other' });
const callLook: ScriptStep = { toolCalls: [{ name: 'look', arguments: {} }] };

const kinds = (messages: readonly Message[]): string => messages.map(({ type }) => type[0]).join('');
const answersTo = (prompt: Prompt | undefined): unknown =>
  prompt?.messages.flatMap((message) => (message.type === 'tool' ? message.responses : []));

/** Sets options on the way in. */
class Setting extends BaseAdvisor {
  readonly name = 'setting';
  readonly #options: ChatOptions;
  constructor(scope: 'turn' | 'round', options: ChatOptions) {
    super({ scope });
    this.#options = options;
  }
  override before(request: ChatClientRequest): ChatClientRequest {
    return withRequest(request, { prompt: request.prompt.withOptions(this.#options) });
  }
}

describe.each(['call', 'stream'] as const)('the tool advisor in a %s', (mode) => {
  const ask = (spec: ChatClientRequestSpec): Promise<ChatClientResponse> =>
    mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
  const build = (
    steps: readonly ScriptStep[],
    change: (builder: ChatClientBuilder) => ChatClientBuilder,
    toolCallingAdvisor?: ToolCallingAdvisor,
  ): { readonly model: ScriptedChatModel; readonly client: ChatClient } => {
    const model = new ScriptedChatModel(steps);
    return { model, client: change(ChatClient.builder(model, { toolCallingAdvisor })).build() };
  };

  it('gives way to an advisor of role "tool"', async () => {
    const mine: CallAdvisor & StreamAdvisor = {
      name: 'mine',
      order: 5,
      role: 'tool',
      adviseCall: (request, chain) => chain.nextCall(request),
      async *adviseStream(request, chain) {
        yield* chain.nextStream(request);
      },
    };
    const { client, model } = build([callLook, callLook, callLook, 'ok'], (builder) => builder.defaultTools(look));
    const own = client.prompt('q').advisors(mine);
    expect((await ask(own)).chatResponse?.result?.output.toolCalls).toMatchObject([{ name: 'look' }]);
    expect((await ask(own.mutate().build().prompt())).chatResponse?.result?.output.toolCalls).toHaveLength(1);
    expect((await ask(client.prompt('q'))).chatResponse?.result?.output.text).toBe('ok');
    model.assertComplete();
  });

  it('is switched off for one request alone, and on again for one', async () => {
    const { client } = build([callLook, callLook, 'ok', callLook, 'on'], (builder) => builder.defaultTools(look));
    expect((await ask(client.prompt('q').toolCalling(false))).chatResponse?.result?.output.toolCalls).toHaveLength(1);
    expect((await ask(client.prompt('q'))).chatResponse?.result?.output.text).toBe('ok');
    const off = client.mutate().toolCalling(false).build();
    expect((await ask(off.prompt('q').toolCalling(true))).chatResponse?.result?.output.text).toBe('on');
  });

  const offering = (request: ChatClientRequest): ChatClientRequest => {
    const options = { tools: [look], toolContext: { from: 'advisor' } };
    return withRequest(request, { prompt: request.prompt.withOptions(options) });
  };
  const offerers: Record<string, (scope: 'turn' | 'round') => AnyAdvisor> = {
    'before()': (scope) => new Setting(scope, { tools: [look], toolContext: { from: 'advisor' } }),
    'adviseCall() alone': (scope) => ({
      name: 'calls',
      order: 1,
      scope,
      adviseCall: (request, chain) => chain.nextCall(offering(request)),
    }),
    'adviseStream() alone': (scope) => ({
      name: 'streams',
      order: 1,
      scope,
      async *adviseStream(request, chain) {
        yield* chain.nextStream(offering(request));
      },
    }),
  };

  it.each(
    Object.entries(offerers).flatMap(([by, make]) =>
      (['turn', 'round'] as const).map((scope) => [by, scope, make] as const),
    ),
  )('runs tools that only an advisor offers, by %s and scope %s', async (_, scope, make) => {
    contexts.length = 0;
    const { client, model } = build([callLook, callLook, 'ok'], (builder) => builder.defaultAdvisors(make(scope)));
    expect((await ask(client.prompt('q'))).chatResponse?.result?.output.text).toBe('ok');
    expect(answersTo(model.prompts[2])).toMatchObject([{ result: 'seen' }, { result: 'seen' }]);
    expect(model.prompts.map(({ options }) => options.tools?.length)).toEqual([1, 1, 1]);
    expect(contexts).toEqual([{ from: 'advisor' }, { from: 'advisor' }]);
  });

  it('an advisor inside may add to the tools in each round', async () => {
    class Adding extends BaseAdvisor {
      readonly name = 'adding';
      override before(request: ChatClientRequest): ChatClientRequest {
        const { prompt } = request;
        return withRequest(request, { prompt: prompt.withOptions({ tools: [...(prompt.options.tools ?? []), look] }) });
      }
    }
    const { client, model } = build([callLook, callLook, 'ok'], (builder) =>
      builder.defaultTools(other).defaultAdvisors(new Adding()),
    );
    await ask(client.prompt('q').options({ toolChoice: 'required' }));
    expect(model.prompts.map(({ options }) => options.tools?.length)).toEqual([2, 2, 2]);
    expect(model.prompts.map(({ options }) => options.toolChoice)).toEqual(['required', 'auto', 'auto']);
    expect(answersTo(model.prompts[2])).toMatchObject([{ result: 'seen' }, { result: 'seen' }]);
  });

  it('knows what was offered, whoever rewrites the answer or asks something else beside it', async () => {
    const rewriting: CallAdvisor = {
      name: 'rewriting',
      order: 1,
      async adviseCall(request, chain) {
        const response = await chain.nextCall(request);
        return { ...response, turn: response.turn.map((message) => ({ ...message })) };
      },
    };
    const judging: CallAdvisor = {
      name: 'judging',
      order: 1,
      async adviseCall(request, chain) {
        const response = await chain.nextCall(request);
        await chain.nextCall(withRequest(request, { prompt: request.prompt.withOptions({ tools: [] }) }));
        return response;
      },
    };
    const inside = new Setting('round', { tools: [look] });
    const rewritten = build([callLook, 'ok'], (builder) => builder.defaultAdvisors(inside, rewriting));
    await ask(rewritten.client.prompt('q'));
    expect(answersTo(rewritten.model.prompts[1])).toMatchObject([{ result: 'seen' }]);
    const judged = build([callLook, callLook, 'ok', 'fine'], (builder) => builder.defaultAdvisors(inside, judging));
    await ask(judged.client.prompt('q'));
    expect(answersTo(judged.model.prompts[2])).toMatchObject([{ result: 'seen' }]);
  });

  it('runs nothing that an advisor inside took away: the model was not offered it', async () => {
    const { client, model } = build([callLook, 'ok'], (builder) =>
      builder.defaultTools(look, other).defaultAdvisors(new Setting('round', { tools: [other] })),
    );
    await ask(client.prompt('q'));
    expect(answersTo(model.prompts[1])).toMatchObject([
      { isError: true, result: "Tool 'look' does not exist. Available tools: other." },
    ]);
  });

  it('carries the history, unless told not to or a memory inside does', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const remembering = new MessageChatMemoryAdvisor({ chatMemory, scope: 'round' });
    for (const [internalHistory, memory, expected] of [
      [undefined, false, ['su', 'suat', 'suatat']],
      [true, false, ['su', 'suat', 'suatat']],
      [false, false, ['su', 'st', 'st']],
      [undefined, true, ['su', 'suat', 'suatat']],
      [false, true, ['su', 'suat', 'suatat']],
      [true, true, ['su', 'suat', 'suatat']],
    ] as const) {
      await chatMemory.clear('c');
      const { client, model } = build(
        [callLook, callLook, 'ok'],
        (builder) =>
          builder
            .defaultSystem('s')
            .defaultTools(look)
            .defaultAdvisors(...(memory ? [remembering] : [])),
        new ToolCallingAdvisor({ internalHistory }),
      );
      const { turn } = await ask(client.prompt('q').conversation('c'));
      expect(model.prompts.map(({ messages }) => kinds(messages))).toEqual(expected);
      expect(kinds(turn)).toBe('uatata');
      if (memory) expect(kinds(await chatMemory.get('c'))).toBe('uatata');
    }
  });

  it('carries the history past a memory inside that keeps it as text', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const { client, model } = build([callLook, 'ok', callLook, 'bye'], (builder) =>
      builder
        .defaultSystem('s')
        .defaultTools(look)
        .defaultAdvisors(new PromptChatMemoryAdvisor({ chatMemory, scope: 'round' })),
    );
    await ask(client.prompt('q').conversation('c'));
    await ask(client.prompt('q2').conversation('c'));
    expect(model.prompts.map(({ messages }) => kinds(messages))).toEqual(['su', 'suat', 'su', 'suat']);
    expect(model.prompts[2]?.systemMessage.text).toMatch(/USER: q\nASSISTANT: ok/);
    expect(kinds(await chatMemory.get('c'))).toBe('uatauata');
  });

  it('gives the results of several direct tools, a generation each, after the text before them', async () => {
    const direct = (name: string) => tool({ name, returnDirect: true, execute: () => `from ${name}` });
    const { client } = build(
      [{ text: 'Here: ', toolCalls: ['a', 'b'].map((name) => ({ id: name, name, arguments: {} })) }],
      (builder) => builder.defaultTools(direct('a'), direct('b')),
    );
    const { chatResponse: answer, turn } = await ask(client.prompt('q'));
    expect(answer?.results.map(({ output, metadata }) => [output.text, metadata])).toEqual([
      ['Here: from a', { finishReason: 'return_direct', toolId: 'a', toolName: 'a' }],
      ['from b', { finishReason: 'return_direct', toolId: 'b', toolName: 'b' }],
    ]);
    expect(kinds(turn)).toBe('uata');
  });

  it('runs the calls of the first generation that has any', async () => {
    const toolCalls = [{ id: 'c', name: 'look', arguments: '{}' }];
    const prompts: Prompt[] = [];
    const next = (prompt: Prompt): ChatResponse => {
      prompts.push(prompt);
      if (prompts.length > 1) return chatResponse('ok');
      return chatResponse([{ text: 'one' }, { output: assistantMessage({ toolCalls }) }]);
    };
    const model: ChatModel = {
      provider: 'two',
      capabilities: { ...TEXT_ONLY, tools: true },
      defaultOptions: {},
      call: async (prompt) => next(prompt),
      async *stream(prompt) {
        yield next(prompt);
      },
    };
    await ask(ChatClient.create(model).prompt('q').tools(look));
    expect(prompts[1]?.messages.slice(1)).toMatchObject([{ toolCalls }, { responses: [{ id: 'c', result: 'seen' }] }]);
  });

  it('names the answers before a limit in its last generation', async () => {
    const manager = new ToolCallingManager({ limits: { perTool: 1 } });
    const { client } = build(
      [{ toolCalls: [1, 2].map((id) => ({ id: `${id}`, name: 'look', arguments: {} })) }],
      (builder) => builder.defaultTools(look),
      new ToolCallingAdvisor({ manager }),
    );
    const { chatResponse: answer } = await ask(client.prompt('q'));
    expect(answer?.result).toMatchObject({
      output: { text: expect.stringContaining("'look'") },
      metadata: {
        finishReason: 'tool_call_limit',
        partialToolResponses: [{ id: '1', name: 'look', result: 'seen' }],
      },
    });
  });

  it('says the usage of all rounds in the last chunk, also when the last round reports none', async () => {
    const { client } = build([{ ...(callLook as object), usage: { totalTokens: 7 } }, 'ok'], (builder) =>
      builder.defaultTools(look),
    );
    expect((await ask(client.prompt('q'))).chatResponse?.metadata.usage.totalTokens).toBe(7);
  });
});

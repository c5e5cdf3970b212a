import {
  type Advisor,
  type AnyAdvisor,
  BaseAdvisor,
  type CallAdvisor,
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  DEFAULT_TOOL_CALLING_ORDER,
  foldClient,
  HIGHEST_PRECEDENCE,
  LOWEST_PRECEDENCE,
  type StreamAdvisor,
  type StreamAdvisorChain,
  ToolCallingAdvisor,
  withRequest,
  withResponse,
} from '@vernal/client-chat';
import {
  assistantMessage,
  type ChatModel,
  chatResponse,
  fold,
  type Logger,
  media,
  noopObservationRegistry,
  Prompt,
  responseText,
  userMessage,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

/** Writes down when it is entered and left. */
class Trace extends BaseAdvisor {
  readonly name: string;
  readonly #trail: string[];

  constructor(name: string, trail: string[], place: Pick<Advisor, 'scope'> & { readonly order?: number } = {}) {
    super(place);
    this.name = name;
    this.#trail = trail;
  }

  override before(request: ChatClientRequest): ChatClientRequest {
    this.#trail.push(`>${this.name}`);
    return request;
  }

  override after(response: ChatClientResponse): ChatClientResponse {
    this.#trail.push(`<${this.name}`);
    return response;
  }
}

const silent: Logger = { debug() {}, info() {}, warn() {} };

const callTool = { toolCalls: [{ id: '1', name: 'nothing', arguments: '{}' }] };

async function trailOf(
  advisors: (trail: string[]) => readonly AnyAdvisor[],
  run: 'call' | 'stream',
  toolAdvisor = new ToolCallingAdvisor(),
): Promise<string> {
  const trail: string[] = [];
  const model = new HandWrittenModel([callTool, 'done']);
  const client = ChatClient.builder(model, { toolCallingAdvisor: toolAdvisor })
    .defaultAdvisors(...advisors(trail))
    .build();
  if (run === 'call') await client.prompt('q').call().content();
  else await collect(client.prompt('q').stream().content());
  return trail.join(' ');
}

describe.each(['call', 'stream'] as const)('order of advisors in a %s', (run) => {
  it('follows the order, and registration where orders are equal', async () => {
    const trail = await trailOf(
      (t) => [
        new Trace('b', t, { order: 1, scope: 'turn' }),
        new Trace('c', t, { order: 1, scope: 'turn' }),
        new Trace('a', t, { order: 0, scope: 'turn' }),
      ],
      run,
    );
    expect(trail).toBe('>a >b >c <c <b <a');
  });

  it('scope decides between turn and round, whatever the numbers', async () => {
    const trail = await trailOf(
      (t) => [
        new Trace('round', t, { order: -5, scope: 'round' }),
        new Trace('turn', t, { order: LOWEST_PRECEDENCE, scope: 'turn' }),
      ],
      run,
    );
    expect(trail).toBe('>turn >round <round >round <round <turn');
  });

  it('without a scope the order against the tool advisor decides', async () => {
    const trail = await trailOf(
      (t) => [
        new Trace('inside', t, { order: DEFAULT_TOOL_CALLING_ORDER + 1 }),
        new Trace('outside', t, { order: DEFAULT_TOOL_CALLING_ORDER - 1 }),
        new Trace('same', t, { order: DEFAULT_TOOL_CALLING_ORDER }),
      ],
      run,
    );
    expect(trail).toBe('>outside >same >inside <inside >inside <inside <same <outside');
  });

  it('adds the advisors of a request to those of the client', async () => {
    const trail: string[] = [];
    const client = ChatClient.builder(new HandWrittenModel(['ok']))
      .defaultAdvisors(new Trace('default', trail))
      .build();
    const spec = client.prompt('q').advisors(new Trace('own', trail, { order: -1 }));
    if (run === 'call') await spec.call().content();
    else await collect(spec.stream().content());
    await client.prompt('q').call().content();
    expect(trail.join(' ')).toBe('>own >default <default <own >default <default');
  });

  it('passes the context in and out', async () => {
    const seen: unknown[] = [];
    class Outer extends BaseAdvisor {
      readonly name = 'outer';
      override before(request: ChatClientRequest): ChatClientRequest {
        return withRequest(request, { context: { outer: 1 } });
      }
      override async after(response: ChatClientResponse): Promise<ChatClientResponse> {
        seen.push(response.context);
        return withResponse(response, { context: { after: true } });
      }
    }
    class Inner extends BaseAdvisor {
      readonly name = 'inner';
      override readonly order = 1;
      override async before(request: ChatClientRequest): Promise<ChatClientRequest> {
        seen.push(request.context);
        return withRequest(request, { context: { inner: 2 } });
      }
    }
    const spec = ChatClient.create(new HandWrittenModel(['ok']))
      .prompt('q')
      .advisors(new Outer(), new Inner())
      .advisors((a) => a.param('given', 0));
    const response =
      run === 'call' ? await spec.call().chatClientResponse() : await foldClient(spec.stream().chatClientResponse());
    expect(seen).toEqual([
      { given: 0, outer: 1 },
      { given: 0, outer: 1, inner: 2 },
    ]);
    expect(response.context).toEqual({ given: 0, outer: 1, inner: 2, after: true });
  });
});

describe('a chain that cannot be meant is refused when the client is built', () => {
  const build = (...advisors: readonly AnyAdvisor[]) =>
    ChatClient.builder(new HandWrittenModel(['ok']), { toolCallingAdvisor: new ToolCallingAdvisor({ order: 100 }) })
      .defaultAdvisors(...advisors)
      .build();

  it('two tool loops', () => {
    expect(() => build(new ToolCallingAdvisor(), new ToolCallingAdvisor({ order: 7 }))).toThrow(
      /'ToolCallingAdvisor' \(order 7\)/,
    );
  });

  it('a scope and an order that disagree', () => {
    const refused = expect.objectContaining({ code: 'invalid_argument', subject: 'x' });
    expect(() => build(new Trace('x', [], { scope: 'round', order: 99 }))).toThrow(refused);
    expect(() => build(new Trace('x', [], { scope: 'turn', order: 101 }))).toThrow(refused);
    expect(() =>
      build(new Trace('x', [], { scope: 'turn', order: 99 }), new Trace('y', [], { order: 101 })),
    ).not.toThrow();
  });

  it('one advisor twice', () => {
    const advisor = new Trace('x', []);
    expect(() => build(advisor, advisor)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'x' }));
  });

  it('something that advises nothing', () => {
    // @ts-expect-error an untyped caller
    expect(() => build({ name: 'x', order: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'x' }),
    );
  });

  it('an order of the tool advisor at the extremes, and less than one round', () => {
    const refused = (subject: string) => expect.objectContaining({ code: 'invalid_argument', subject });
    expect(() => new ToolCallingAdvisor({ order: HIGHEST_PRECEDENCE })).toThrow(refused('order'));
    expect(() => new ToolCallingAdvisor({ order: LOWEST_PRECEDENCE })).toThrow(refused('order'));
    expect(() => new ToolCallingAdvisor({ maxRounds: 0 })).toThrow(refused('maxRounds'));
  });
});

class AskTwice implements CallAdvisor, StreamAdvisor {
  readonly name = 'ask-twice';
  readonly order = 0;
  readonly scope = 'turn';
  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    await chain.nextCall(request);
    return chain.copy(this).nextCall(request);
  }
  async *adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse> {
    yield* chain.nextStream(request);
    yield* chain.copy(this).nextStream(request);
  }
}

describe('a chain', () => {
  it('may be asked any number of times, in both modes', async () => {
    const model = new HandWrittenModel(['a', 'b', 'c', 'd']);
    const client = ChatClient.builder(model).defaultAdvisors(new AskTwice(), new Trace('t', [])).build();
    expect(await client.prompt('q').call().content()).toBe('b');
    expect((await collect(client.prompt('q').stream().content())).join('')).toBe('cd');
  });

  it('knows all its advisors, and copies behind one of them only', async () => {
    let seen: CallAdvisorChain | undefined;
    const look: CallAdvisor = {
      name: 'look',
      order: 0,
      adviseCall: (request, chain) => {
        seen = chain;
        return chain.nextCall(request);
      },
    };
    await ChatClient.create(new HandWrittenModel(['ok']))
      .prompt('q')
      .advisors(look)
      .call()
      .content();
    expect(seen?.callAdvisors.map(({ name }) => name)).toEqual(['ToolCallingAdvisor', 'look']);
    const foreign = new Trace('foreign', []);
    expect(() => seen?.copy(foreign)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'after' }));
  });
});

describe('an advisor with one face is bridged to the other', () => {
  const lines: string[] = [];
  const logger: Logger = { debug: (line) => lines.push(line), info() {}, warn() {} };

  it('call-only in a stream: gets the folded answer, gives one chunk', async () => {
    const model = new HandWrittenModel(['a b c']);
    const loud: CallAdvisor = {
      name: 'loud',
      order: 0,
      async adviseCall(request, chain) {
        const response = await chain.nextCall(request);
        const text = responseText(response.chatResponse ?? chatResponse([]));
        return withResponse(response, { chatResponse: chatResponse(text.toUpperCase()) });
      },
    };
    const client = ChatClient.builder(model, { logger }).defaultAdvisors(loud).build();
    expect(await collect(client.prompt('q').stream().content())).toEqual(['A B C']);
    expect(model).toMatchObject({ streams: 1, calls: 0 });
    expect(lines.some((line) => line.includes('call-only'))).toBe(true);
  });

  it('call-only in a stream: may ask again, and go on behind another advisor', async () => {
    const inner = new Trace('inner', [], { order: 1 });
    const again: CallAdvisor = {
      name: 'again',
      order: 0,
      async adviseCall(request, chain) {
        await chain.nextCall(request);
        await chain.copy(again).nextCall(request);
        return chain.copy(inner).nextCall(request);
      },
    };
    const client = ChatClient.builder(new HandWrittenModel(['a', 'b', 'c']))
      .defaultAdvisors(again, inner)
      .build();
    expect(await collect(client.prompt('q').stream().content())).toEqual(['c']);
  });

  it('call-only in a stream, refusing without asking: nothing is skipped', async () => {
    const model = new HandWrittenModel(['secret']);
    const block: CallAdvisor = {
      name: 'block',
      order: 0,
      scope: 'turn',
      adviseCall: async (request) => ({ chatResponse: chatResponse('No.'), context: request.context, turn: [] }),
    };
    const spec = ChatClient.create(model).prompt('q').advisors(block);
    expect(await collect(spec.stream().content())).toEqual(['No.']);
    expect(await spec.call().content()).toBe('No.');
    expect(model.prompts).toHaveLength(0);
  });

  it('stream-only in a call: its stream is folded', async () => {
    const stars: StreamAdvisor = {
      name: 'stars',
      order: 0,
      async *adviseStream(request, chain) {
        yield { chatResponse: chatResponse('* '), context: { starred: true }, turn: [] };
        yield* chain.nextStream(request);
      },
    };
    const spec = ChatClient.create(new HandWrittenModel(['a b']), { logger })
      .prompt('q')
      .advisors(stars);
    const response = await spec.call().chatClientResponse();
    expect(responseText(response.chatResponse ?? chatResponse([]))).toBe('* a b');
    expect(response.context).toEqual({ starred: true });
    expect(response.turn.map(({ type }) => type)).toEqual(['user', 'assistant']);
    expect((await collect(spec.stream().content())).join('')).toBe('* a b');
    expect(lines.some((line) => line.includes('stream-only'))).toBe(true);
  });
});

describe('BaseAdvisor', () => {
  it('may refuse by throwing, before and after', async () => {
    class Fail extends BaseAdvisor {
      readonly name = 'fail';
      override async after(): Promise<ChatClientResponse> {
        throw new Error('no');
      }
    }
    const spec = ChatClient.create(new HandWrittenModel(['a b']))
      .prompt('q')
      .advisors(new Fail());
    await expect(spec.call().content()).rejects.toThrow('no');
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const text of spec.stream().content()) seen.push(text);
      })(),
    ).rejects.toThrow('no');
    expect(seen).toEqual(['a', ' b']);
  });

  it('adds metadata in one last chunk of a stream, without text', async () => {
    class Stamp extends BaseAdvisor {
      readonly name = 'stamp';
      override after(response: ChatClientResponse): ChatClientResponse {
        const answer = response.chatResponse ?? chatResponse([]);
        return withResponse(response, {
          chatResponse: { ...answer, metadata: { ...answer.metadata, stamped: true } },
        });
      }
    }
    const chunks = await collect(
      ChatClient.create(new HandWrittenModel(['a b']))
        .prompt('q')
        .advisors(new Stamp())
        .stream()
        .chatResponse(),
    );
    expect(chunks.map(responseText).join('')).toBe('a b');
    expect(chunks.at(-1)?.metadata['stamped']).toBe(true);
    expect(responseText(chunks.at(-1) ?? chatResponse('?'))).toBe('');
    expect(chunks.slice(0, -1).every(({ metadata }) => metadata['stamped'] === undefined)).toBe(true);
  });

  it('adds to an answer with media and reasoning without repeating them', async () => {
    class Stamp extends BaseAdvisor {
      readonly name = 'stamp';
      override after(response: ChatClientResponse): ChatClientResponse {
        const answer = response.chatResponse ?? chatResponse([]);
        const results = answer.results.map((result) => ({
          ...result,
          metadata: { ...result.metadata, stamped: true },
        }));
        return withResponse(response, { chatResponse: { ...answer, results, result: results[0] } });
      }
    }
    const model: ChatModel = {
      ...new HandWrittenModel([]),
      call: async () => chatResponse(''),
      async *stream() {
        yield chatResponse([{ output: assistantMessage({ reasoning: [{ text: 'hm', index: 0 }] }) }]);
        yield chatResponse([
          { output: assistantMessage({ media: [media('image/png', 'https://example.com/a.png')] }) },
        ]);
        yield chatResponse('look');
      },
    };
    const folded = await fold(ChatClient.create(model).prompt('q').advisors(new Stamp()).stream().chatResponse());
    expect(folded.result?.output).toMatchObject({ text: 'look', reasoning: [{ text: 'hm' }] });
    expect(folded.result?.output.media).toHaveLength(1);
    expect(folded.result?.output.reasoning).toHaveLength(1);
    expect(folded.result?.metadata['stamped']).toBe(true);
  });

  it('may change the text of a call, not of a stream that has gone out', async () => {
    class Shout extends BaseAdvisor {
      readonly name = 'shout';
      override after(response: ChatClientResponse): ChatClientResponse {
        return withResponse(response, { chatResponse: chatResponse('HEY') });
      }
    }
    const spec = ChatClient.create(new HandWrittenModel(['hey']))
      .prompt('q')
      .advisors(new Shout());
    expect(await spec.call().content()).toBe('HEY');
    await expect(collect(spec.stream().content())).rejects.toMatchObject({ code: 'invalid_state', subject: 'shout' });
  });

  it('may override one face and keep the other, and call up', async () => {
    class Half extends BaseAdvisor {
      readonly name = 'half';
      calls = 0;
      override before(request: ChatClientRequest): ChatClientRequest {
        return withRequest(request, { prompt: request.prompt.augmentUserMessage('changed') });
      }
      override adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
        this.calls++;
        return super.adviseCall(request, chain);
      }
    }
    const half = new Half();
    const model = new HandWrittenModel(['ok']);
    const spec = ChatClient.create(model).prompt('q').advisors(half);
    await spec.call().content();
    await collect(spec.stream().content());
    expect(half.calls).toBe(1);
    expect(model.prompts.map(({ userMessage: { text } }) => text)).toEqual(['changed', 'changed']);
  });

  it('works over a chain of somebody else', async () => {
    const trail: string[] = [];
    const request: ChatClientRequest = { prompt: new Prompt('q'), context: {} };
    const answer: ChatClientResponse = { chatResponse: chatResponse('x'), context: {}, turn: [userMessage('q')] };
    const ports = { observationRegistry: noopObservationRegistry, logger: silent };
    const call: CallAdvisorChain = { ...ports, callAdvisors: [], nextCall: async () => answer, copy: () => call };
    const stream: StreamAdvisorChain = {
      ...ports,
      streamAdvisors: [],
      async *nextStream() {
        yield answer;
      },
      copy: () => stream,
    };
    const trace = new Trace('t', trail);
    expect((await trace.adviseCall(request, call)).chatResponse).toBe(answer.chatResponse);
    const folded = await foldClient(trace.adviseStream(request, stream));
    expect(responseText(folded.chatResponse ?? chatResponse([]))).toBe('x');
    expect(folded.turn).toEqual(answer.turn);
    expect(trail.join(' ')).toBe('>t <t >t <t');
  });

  it('rewriting the question shows it to the model; the turn keeps it as it was asked', async () => {
    class Rewrite extends BaseAdvisor {
      readonly name = 'rewrite';
      override before(request: ChatClientRequest): ChatClientRequest {
        return withRequest(request, { prompt: request.prompt.augmentUserMessage('rewritten') });
      }
    }
    const model = new HandWrittenModel(['ok']);
    const spec = ChatClient.create(model).prompt('asked').advisors(new Rewrite());
    const { turn } = await spec.call().chatClientResponse();
    expect(model.prompts[0]?.userMessage.text).toBe('rewritten');
    expect(turn.map((message) => message.type !== 'tool' && message.text)).toEqual(['asked', 'ok']);
    const streamed = (await collect(spec.stream().chatClientResponse())).at(-1)?.turn;
    expect(streamed).toEqual(turn);
  });
});

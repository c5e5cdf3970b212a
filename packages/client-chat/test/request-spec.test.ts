import { getEventListeners } from 'node:events';
import {
  type Advisor,
  BaseAdvisor,
  ChatClient,
  type ChatClientBuilder,
  type ChatClientRequest,
  type ChatClientRequestSpec,
  type ChatClientResponse,
  ReReadingAdvisor,
  type StreamAdvisor,
  type StreamAdvisorChain,
  withRequest,
} from '@vernal/client-chat';
import {
  assistantMessage,
  bytesResource,
  type ChatResponse,
  CONVERSATION_ID,
  chatOptionsFactory,
  chatResponse,
  defaultRenderer,
  jsonSchema,
  media,
  noopRenderer,
  Prompt,
  type Resource,
  systemMessage,
  tool,
  userMessage,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

const picture = media('image/png', 'https://example.com/a.png');

function asking(): { readonly model: HandWrittenModel; readonly spec: ChatClientRequestSpec } {
  const model = new HandWrittenModel(['ok'], { mediaInput: ['*/*'] });
  return { model, spec: ChatClient.create(model).prompt() };
}

function textsOf(prompt: Prompt | undefined): string[] {
  return prompt?.messages.map((message) => `${message.type}: ${message.type === 'tool' ? '' : message.text}`) ?? [];
}

/** Notes the requests that pass it. */
class Spy extends BaseAdvisor {
  readonly name: string;
  readonly seen: ChatClientRequest[] = [];

  constructor(name = 'spy') {
    super({ order: 0 });
    this.name = name;
  }

  override before(request: ChatClientRequest): ChatClientRequest {
    this.seen.push(request);
    return request;
  }
}

class PassThrough implements StreamAdvisor {
  readonly order = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse> {
    return chain.nextStream(request);
  }
}

/** As untyped callers write: the compiler refuses most of these already. */
type Untyped = Record<string, (...given: unknown[]) => unknown>;
const say = (run: (part: Untyped) => unknown) => (spec: Untyped) =>
  spec['user']?.((user: Untyped) => run(user['text']?.('a') as Untyped));

describe('what cannot be meant is refused where it is said', () => {
  it.each<[string, (spec: Untyped) => unknown, string]>([
    ['metadata without a key', say((u) => u['metadata']?.(null, 'v')), 'metadata'],
    ['metadata under a blank key', say((u) => u['metadata']?.(' ', 'v')), 'metadata'],
    ['metadata that is null', say((u) => u['metadata']?.('key', null)), 'metadata.key'],
    ['metadata that is not given', say((u) => u['metadata']?.('key', undefined)), 'metadata.key'],
    ['a map of metadata that is none', say((u) => u['metadata']?.(null)), 'metadata'],
    ['null in a map of metadata', say((u) => u['metadata']?.({ ok: 1, key: null })), 'metadata.key'],
    ['a blank key in a map of metadata', say((u) => u['metadata']?.({ '': 1 })), 'metadata'],
    ['a param without a name', say((u) => u['param']?.(null, 1)), 'param'],
    ['a map of params that is none', say((u) => u['params']?.(null)), 'params'],
    ['a blank name in a map of params', say((u) => u['params']?.({ '\t': 1 })), 'params'],
    ['media that are none', say((u) => u['media']?.(null)), 'media'],
    ['a hole among media', say((u) => u['media']?.(picture, undefined)), 'media'],
    ['a list in place of media', say((u) => u['media']?.([picture])), 'media'],
    ['media without content', say((u) => u['media']?.('image/png')), 'data'],
    ['a text that is none', (s) => s['user']?.(null), 'text'],
    ['a system text that is none', (s) => s['system']?.(7), 'text'],
    ['a message that is none', (s) => s['messages']?.(null), 'messages[0]'],
    ['a message of another library', (s) => s['messages']?.([{ role: 'user', content: 'x' }]), 'messages[0]'],
    ['tools that are none', (s) => s['tools']?.(null), 'tools'],
    ['an object without tools', (s) => s['tools']?.({}), 'toolsFrom'],
    ['a tool context that is none', (s) => s['toolContext']?.(null), 'toolContext'],
    ['a blank key in a tool context', (s) => s['toolContext']?.({ ' ': 1 }), 'toolContext'],
    ['an advisor that is none', (s) => s['advisors']?.(null), 'advisors'],
    ['a hole among advisors', (s) => s['advisors']?.([new Spy(), undefined]), 'advisors'],
    ['an advisor param without a key', (s) => s['advisors']?.((a: Untyped) => a['param']?.(' ', 1)), 'param'],
    ['a map of advisor params that is none', (s) => s['advisors']?.((a: Untyped) => a['params']?.(null)), 'params'],
    ['a blank tool name', (s) => s['toolNames']?.(''), 'toolNames'],
    ['a conversation without an id', (s) => s['conversation']?.(''), 'conversation'],
    ['a time that no timer holds', (s) => s['timeout']?.(2 ** 31), 'timeout'],
    ['a time that is none', (s) => s['timeout']?.(Number.NaN), 'timeout'],
  ])('%s', (_, run, subject) => {
    const { spec } = asking();
    expect(() => run(spec as unknown as Untyped)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('and so are the defaults of a client', () => {
    const builder = ChatClient.builder(new HandWrittenModel(['ok'])) as unknown as Untyped;
    const refused = expect.objectContaining({ code: 'invalid_argument' });
    for (const wrong of [null, ' ', 7]) {
      expect(() => builder['defaultSystem']?.(wrong)).toThrow(refused);
      expect(() => builder['defaultUser']?.(wrong)).toThrow(refused);
      expect(() => builder['defaultTools']?.(wrong)).toThrow(refused);
      expect(() => builder['defaultToolNames']?.(wrong)).toThrow(refused);
      expect(() => builder['defaultToolContext']?.(wrong)).toThrow(refused);
      expect(() => builder['defaultAdvisors']?.(wrong)).toThrow(refused);
    }
  });
});

describe('texts', () => {
  it('of a request replace those of the client; params and metadata of both go together', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.builder(model)
      .defaultSystem((s) => s.text('As {voice}').params({ voice: 'a pirate', mood: 'glad' }).metadata('v', 1))
      .defaultUser((u) => u.text('{greeting}').param('greeting', 'hi').metadata({ session: 'default' }))
      .build();
    await client.prompt().call().content();
    await client
      .prompt()
      .system((s) => s.text('Be {mood}, {voice}').param('mood', 'sad').metadata('v', 2))
      .user((u) => u.param('greeting', 'hello').metadata('session', 's1').metadata('asked', new Date(0)))
      .call()
      .content();
    expect(model.prompts.map(textsOf)).toEqual([
      ['system: As a pirate', 'user: hi'],
      ['system: Be sad, a pirate', 'user: hello'],
    ]);
    expect(model.prompts[1]?.systemMessage.metadata).toEqual({ v: 2 });
    expect(model.prompts[1]?.userMessage.metadata).toEqual({ session: 's1', asked: '1970-01-01T00:00:00.000Z' });
  });

  it('stand beside messages, which are never rendered; system() does not join a system message', async () => {
    const { model, spec } = asking();
    await spec
      .messages(systemMessage('{x} too'), [userMessage('{x}?'), assistantMessage('{x}!')])
      .system((s) => s.text('{x}').param('x', 1))
      .user((u) => u.text('{x}').param('x', 2))
      .call()
      .content();
    expect(textsOf(model.prompts[0])).toEqual([
      'system: 1',
      'system: {x} too',
      'user: {x}?',
      'assistant: {x}!',
      'user: 2',
    ]);
  });

  it('render the same for system and user, with JSON beside a param and in it', async () => {
    const { model, spec } = asking();
    const text = 'Like {"a": {"b": [1]}}, p { color: red }, for {city}: {format}';
    const params = { city: 'Rome', format: '{"type": "object", "properties": {"city": {}}}' };
    await spec
      .system((s) => s.text(text).params(params))
      .user((u) => u.text(text).params(params))
      .call()
      .content();
    const wanted = 'Like {"a": {"b": [1]}}, p { color: red }, for Rome: {"type": "object", "properties": {"city": {}}}';
    expect(textsOf(model.prompts[0])).toEqual([`system: ${wanted}`, `user: ${wanted}`]);
  });

  it('have the renderer of the client; the templates of its advisors keep their own', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.builder(model)
      .defaultTemplateRenderer(noopRenderer)
      .defaultAdvisors(new ReReadingAdvisor())
      .build();
    await client
      .prompt()
      .user((u) => u.text('{x}?').param('x', 1))
      .call()
      .content();
    expect(model.prompts[0]?.userMessage.text).toBe('{x}?\nRead the question again: {x}?');
  });

  it('take resources as params, read when the call runs', async () => {
    const { model, spec } = asking();
    const asked = spec.user((u) =>
      u.text('Sum up: {doc}').param('doc', bytesResource('{plain} text', { filename: 'd' })),
    );
    await asked.call().content();
    await collect(asked.stream().content());
    expect(model.prompts.map(textsOf)).toEqual([['user: Sum up: {plain} text'], ['user: Sum up: {plain} text']]);
    const broken: Resource = { bytes: () => Promise.reject(new Error('no such file')) };
    const fails = spec.user((u) => u.text('{a} {b}').params({ a: broken, b: broken }).media('image/png', broken));
    await expect(fails.call().content()).rejects.toThrow('no such file');
    expect(model.prompts).toHaveLength(2);
  });
});

describe('what a request waits for before it asks', () => {
  const never: Resource = { bytes: () => new Promise(() => {}) };
  const waits: Record<string, (spec: ChatClientRequestSpec) => ChatClientRequestSpec> = {
    'a text': (spec) => spec.user(never),
    'a param': (spec) => spec.user((u) => u.text('{a}').param('a', never)),
    media: (spec) => spec.user((u) => u.text('a').media('image/png', never)),
    'a provider of tools': (spec) => spec.user('a').tools({ toolCallbacks: () => new Promise(() => {}) }),
  };

  it.each(Object.entries(waits))('%s does not hold up an abort or a timeout', async (_, wait) => {
    const { model, spec } = asking();
    const runs = [
      (asked: ChatClientRequestSpec): Promise<unknown> => asked.call().content(),
      (asked: ChatClientRequestSpec): Promise<unknown> => collect(asked.stream().content()),
    ];
    for (const run of runs) {
      const controller = new AbortController();
      const aborted = run(wait(spec).signal(controller.signal));
      controller.abort();
      await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      await expect(run(wait(spec).timeout(1))).rejects.toMatchObject({ code: 'timeout' });
    }
    expect(model.prompts).toHaveLength(0);
  });
});

describe('a request', () => {
  it('of a prompt adds its messages, before a user text, and lays its options over the defaults', async () => {
    const model = new HandWrittenModel(['ok'], {}, { temperature: 1 });
    const client = ChatClient.builder(model).defaultOptions({ topP: 0.5, maxTokens: 9 }).build();
    await client
      .prompt(new Prompt([userMessage('a'), assistantMessage('b')], { topP: null, topK: 3 }))
      .user('c')
      .call()
      .content();
    expect(textsOf(model.prompts[0])).toEqual(['user: a', 'assistant: b', 'user: c']);
    expect(model.prompts[0]?.options).toEqual({ topP: null, maxTokens: 9, topK: 3 });
  });

  it('of a text has that for its user text: what is said of it later joins it, another takes its place', async () => {
    const { model } = asking();
    const client = ChatClient.builder(model).defaultUser('default').build();
    await client
      .prompt('look')
      .user((u) => u.media(picture).metadata('k', 1))
      .call()
      .content();
    await client.prompt('a').user('b').call().content();
    expect(model.prompts[0]?.messages).toEqual([userMessage('look', { media: [picture], metadata: { k: 1 } })]);
    expect(textsOf(model.prompts[1])).toEqual(['user: b']);
  });

  it('offers the tools of its options beside its own', async () => {
    const { model, spec } = asking();
    const [a, b] = ['a', 'b'].map((name) => tool({ name, execute: () => name }));
    if (a === undefined || b === undefined) throw new Error('unreachable');
    await spec
      .user('q')
      .options({ tools: [a] })
      .tools(b)
      .call()
      .content();
    expect(model.prompts[0]?.options.tools?.map(({ definition: { name } }) => name)).toEqual(['a', 'b']);
    await expect(
      spec
        .user('q')
        .options({ tools: [a] })
        .tools(a)
        .call()
        .content(),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining("'a'"),
    });
  });

  it('runs tools that only an advisor brings', async () => {
    const clock = tool({ name: 'clock', execute: () => 'noon' });
    class Bringer extends BaseAdvisor {
      readonly name = 'bringer';
      override before(request: ChatClientRequest): ChatClientRequest {
        return withRequest(request, { prompt: request.prompt.withOptions({ tools: [clock] }) });
      }
    }
    const model = new HandWrittenModel([{ toolCalls: [{ id: '1', name: 'clock', arguments: '{}' }] }, 'It is noon.']);
    const advised = ChatClient.create(model).prompt('When?').advisors(new Bringer());
    expect(await advised.call().content()).toBe('It is noon.');
    expect(model.prompts[1]?.messages.at(-1)).toMatchObject({ responses: [{ name: 'clock', result: 'noon' }] });
  });

  it('takes advisors one by one and in lists, and names its conversation', async () => {
    const { spec } = asking();
    const spies = [1, 2, 3].map((n) => new Spy(`spy ${n}`));
    const list: readonly Spy[] = spies.slice(1);
    const { context } = await spec
      .user('q')
      .advisors((a) => a.advisors(list.slice(1)).param('a', 1))
      .advisors(spies[0] as Spy, list.slice(0, 1))
      .conversation('c-1')
      .call()
      .chatClientResponse();
    expect(spies.map(({ seen }) => seen.length)).toEqual([1, 1, 1]);
    expect(spies[0]?.seen[0]?.context).toMatchObject({ a: 1, [CONVERSATION_ID]: 'c-1' });
    expect(context).toEqual({ a: 1, [CONVERSATION_ID]: 'c-1' });
  });

  it('gives its answer by every terminal; no answer is an empty text, and no entity', async () => {
    const chunks = [chatResponse('a'), chatResponse(''), chatResponse([]), chatResponse('b')];
    const silent = new (class extends HandWrittenModel {
      override async call(): Promise<ChatResponse> {
        return chatResponse([]);
      }
      override async *stream(): AsyncGenerator<ChatResponse> {
        yield* chunks;
      }
    })([]);
    const spec = ChatClient.create(silent).prompt('q');
    expect(await spec.call().content()).toBe('');
    expect((await spec.call().chatResponse()).results).toEqual([]);
    expect((await spec.call().chatClientResponse()).chatResponse?.results).toEqual([]);
    await expect(spec.call().entity(jsonSchema({}))).rejects.toMatchObject({ code: 'structured_output', rawText: '' });
    await expect(spec.call().responseEntity(jsonSchema({}))).rejects.toMatchObject({ code: 'structured_output' });
    expect(await collect(spec.stream().content())).toEqual(['a', 'b']);
    expect(await collect(spec.stream().chatResponse())).toHaveLength(4);
    expect((await collect(spec.stream().chatClientResponse())).length).toBeGreaterThanOrEqual(4);
  });
});

it('chunks go through a chain of advisors as they are: none is folded or copied on its way', async () => {
  const chunks = [chatResponse('a'), chatResponse('b'), chatResponse([{ metadata: { finishReason: 'stop' } }])];
  const model = new (class extends HandWrittenModel {
    override async *stream(): AsyncGenerator<ChatResponse> {
      yield* chunks;
    }
  })([]);
  const spec = ChatClient.create(model)
    .prompt('q')
    .advisors(['a', 'b', 'c'].map((name) => new PassThrough(name)));
  const received = await collect(spec.stream().chatResponse());
  expect(received.slice(0, 2).map((chunk, i) => chunk === chunks[i])).toEqual([true, true]);
});

describe('mutate()', () => {
  const own = chatOptionsFactory<{ readonly seed: number }>('hand');
  const clock = tool({ name: 'clock', execute: () => 'noon' });
  const weather = tool({ name: 'weather', execute: () => 'rain' });

  /** Everything that can be said, some of it without the text or advisor that it is said for. */
  const told = (spec: ChatClientRequestSpec): ChatClientRequestSpec =>
    spec
      .system((s) => s.param('voice', 'a pirate').metadata('v', 1))
      .user((u) => u.param('q', 'why').metadata('u', 2).media(picture))
      .messages(userMessage('earlier'), assistantMessage('answer'))
      .options(own({ temperature: 0, seed: 7 }))
      .tools(clock)
      .addTools({ toolCallbacks: () => [weather] })
      .toolContext({ tenant: 'acme' })
      .templateRenderer(defaultRenderer({ start: '<', end: '>' }))
      .advisors((a) => a.param('a', 1))
      .conversation('c');

  it('carries all that a request says, what has no text or advisor yet included', async () => {
    const { model, spec } = asking();
    const client = told(spec).mutate().build();
    const spy = new Spy();
    await client
      .prompt()
      .system((s) => s.text('As <voice>'))
      .user((u) => u.text('<q> {q}'))
      .advisors(spy)
      .call()
      .content();
    const [prompt] = model.prompts;
    expect(textsOf(prompt)).toEqual(['system: As a pirate', 'user: earlier', 'assistant: answer', 'user: why {q}']);
    expect(prompt?.systemMessage.metadata).toEqual({ v: 1 });
    expect(prompt?.userMessage).toMatchObject({ metadata: { u: 2 }, media: [picture] });
    expect(prompt?.options).toMatchObject({ temperature: 0, toolContext: { tenant: 'acme' } });
    expect(own.of(prompt?.options ?? {})).toEqual({ seed: 7 });
    expect(prompt?.options.tools?.map(({ definition: { name } }) => name)).toEqual(['clock', 'weather']);
    expect(spy.seen[0]?.context).toMatchObject({ a: 1, [CONVERSATION_ID]: 'c' });
  });

  it('of a client leaves it as it is, and so does a clone of its builder', async () => {
    const model = new HandWrittenModel(['ok']);
    const first = ChatClient.builder(model).defaultSystem('one').defaultTools(clock).build();
    const change = (builder: ChatClientBuilder): ChatClient =>
      builder
        .defaultSystem('two')
        .defaultOptions({ topK: 1 })
        .defaultTools(weather)
        .defaultToolContext({ tenant: 'acme' })
        .defaultAdvisors([new Spy()])
        .toolCalling(false)
        .build();
    const builder = first.mutate();
    for (const client of [change(first.mutate()), change(builder.clone()), builder.build(), first]) {
      await client.prompt('q').call().content();
    }
    const seen = model.prompts.map(({ systemMessage: { text }, options }) => [
      text,
      options.tools?.length,
      options.topK,
    ]);
    expect(seen).toEqual([
      ['two', 2, 1],
      ['two', 2, 1],
      ['one', 1, undefined],
      ['one', 1, undefined],
    ]);
  });
});

it('many clients stand over one model, and over many, without knowing of each other', async () => {
  const [fast, strong] = [new HandWrittenModel(['fast']), new HandWrittenModel(['strong'])];
  const advisor: Advisor = new Spy();
  const clients = [
    ChatClient.create(fast),
    ChatClient.builder(fast).defaultSystem('You are a helpful assistant.').build(),
    ChatClient.builder(strong)
      .defaultOptions({ temperature: 0 })
      .defaultAdvisors(advisor as Spy)
      .build(),
  ];
  const answers = await Promise.all(clients.map((client) => client.prompt('Which?').call().content()));
  expect(answers).toEqual(['fast', 'fast', 'strong']);
  expect(fast.prompts.map(textsOf)).toEqual([
    ['user: Which?'],
    ['system: You are a helpful assistant.', 'user: Which?'],
  ]);
  expect(strong.prompts[0]?.options).toEqual({ temperature: 0 });
});

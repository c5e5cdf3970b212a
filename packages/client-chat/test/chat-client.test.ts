import { ChatClient } from '@vernal/client-chat';
import {
  assistantMessage,
  bytesResource,
  defaultRenderer,
  media,
  noopObservationRegistry,
  noopRenderer,
  Prompt,
  systemMessage,
  userMessage,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

function textsOf(prompt: Prompt | undefined): string[] {
  return prompt?.messages.map((message) => `${message.type}: ${message.type === 'tool' ? '' : message.text}`) ?? [];
}

describe('prompt()', () => {
  it('takes nothing, a text, a prompt and a list of messages', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.builder(model).defaultOptions({ temperature: 1, topP: 0.5 }).build();
    await client.prompt().user('a').call().content();
    await client.prompt('b').call().content();
    await client
      .prompt(new Prompt([systemMessage('s'), userMessage('c')], { temperature: 0 }))
      .call()
      .content();
    await client
      .prompt([userMessage('d'), assistantMessage('e'), userMessage('f')])
      .call()
      .content();
    expect(model.prompts.map(textsOf)).toEqual([
      ['user: a'],
      ['user: b'],
      ['system: s', 'user: c'],
      ['user: d', 'assistant: e', 'user: f'],
    ]);
    expect(model.prompts.map(({ options }) => options.temperature)).toEqual([1, 1, 0, 1]);
    expect(model.prompts[2]?.options.topP).toBe(0.5);
  });

  it('refuses blank texts where they are given', () => {
    const client = ChatClient.create(new HandWrittenModel(['ok']));
    const blank = expect.objectContaining({ code: 'invalid_argument' });
    expect(() => client.prompt(' \n')).toThrow(blank);
    expect(() => client.prompt().user('')).toThrow(blank);
    expect(() => client.prompt().system('\t')).toThrow(blank);
    expect(() => client.prompt().user((u) => u.param(' ', 1))).toThrow(blank);
    expect(() => client.prompt().conversation(' ')).toThrow(blank);
    expect(() => client.prompt().timeout(0)).toThrow(blank);
  });

  it('refuses to ask nothing', async () => {
    const model = new HandWrittenModel(['ok']);
    await expect(ChatClient.create(model).prompt().call().content()).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'prompt',
    });
    await expect(collect(ChatClient.create(model).prompt().stream().content())).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(model.prompts).toHaveLength(0);
  });

  it('needs a model', () => {
    // @ts-expect-error an untyped caller
    expect(() => ChatClient.create(undefined)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'model' }),
    );
  });
});

describe('texts', () => {
  it('puts system first and user last, whatever the order of the calls', async () => {
    const model = new HandWrittenModel(['ok']);
    await ChatClient.create(model).prompt().user('u').messages(assistantMessage('m')).system('s').call().content();
    expect(textsOf(model.prompts[0])).toEqual(['system: s', 'assistant: m', 'user: u']);
  });

  it('takes a text without params literally, and renders one with params', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.create(model);
    await client.prompt('{literal} {"a": 1}').call().content();
    await client
      .prompt()
      .user((u) => u.text('{a} and {"b": {a}}').param('a', '{c}'))
      .call()
      .content();
    expect(model.prompts.map(({ userMessage: { text } }) => text)).toEqual([
      '{literal} {"a": 1}',
      '{c} and {"b": {c}}',
    ]);
  });

  it('leaves out a text that says nothing once it is rendered', async () => {
    const model = new HandWrittenModel(['ok']);
    await ChatClient.create(model)
      .prompt('q')
      .system((s) => s.text('{x}').param('x', ' '))
      .call()
      .content();
    await ChatClient.create(model).prompt('q').system(bytesResource(' \n')).call().content();
    expect(model.prompts.map(textsOf)).toEqual([['user: q'], ['user: q']]);
  });

  it('names a missing param in the rejection, not at the spec', async () => {
    const spec = ChatClient.create(new HandWrittenModel(['ok']))
      .prompt()
      .user((u) => u.text('{a} {b}').param('a', 1));
    await expect(spec.call().content()).rejects.toMatchObject({ code: 'template', missing: ['b'] });
  });

  it('merges a call over the defaults, key by key; media add up', async () => {
    const model = new HandWrittenModel(['ok'], { mediaInput: ['image/*'] });
    const client = ChatClient.builder(model)
      .defaultSystem((s) =>
        s.text('You are {voice}, {mood}.').params({ voice: 'a pirate', mood: 'glad' }).metadata('v', 1),
      )
      .defaultUser((u) => u.text('Hello').media(media('image/png', 'https://example.com/a.png')))
      .build();
    await client
      .prompt()
      .system((s) => s.param('voice', 'a librarian').params({ mood: undefined }).metadata({ w: 2 }))
      .user((u) => u.media('image/jpeg', new Uint8Array([1])))
      .call()
      .content();
    const [prompt] = model.prompts;
    expect(prompt?.systemMessage).toMatchObject({ text: 'You are a librarian, glad.', metadata: { v: 1, w: 2 } });
    expect(prompt?.userMessage.media.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/jpeg']);
  });

  it('reads resources when the call runs, for text and media', async () => {
    const model = new HandWrittenModel(['ok'], { mediaInput: ['image/*'] });
    let reads = 0;
    const resource = {
      bytes: async () => {
        reads++;
        return new TextEncoder().encode('Answer in {language}.');
      },
    };
    const spec = ChatClient.create(model)
      .prompt()
      .system(resource)
      .user((u) => u.text('Hi').media('image/png', bytesResource(new Uint8Array([7]))));
    expect(reads).toBe(0);
    await spec.call().content();
    await collect(spec.stream().content());
    expect(reads).toBe(2);
    expect(textsOf(model.prompts[1])).toEqual(['system: Answer in {language}.', 'user: Hi']);
    expect(model.prompts[0]?.userMessage.media[0]?.source).toEqual({ type: 'bytes', bytes: new Uint8Array([7]) });
  });

  it('sends media without a text', async () => {
    const model = new HandWrittenModel(['ok'], { mediaInput: ['image/png'] });
    await ChatClient.create(model)
      .prompt()
      .user((u) => u.media('image/png', 'https://example.com/a.png'))
      .call()
      .content();
    expect(model.prompts[0]?.userMessage).toMatchObject({ text: '', media: [{ mimeType: 'image/png' }] });
  });

  it('uses the renderer of the client, or the request', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.builder(model)
      .defaultTemplateRenderer(defaultRenderer({ start: '<', end: '>' }))
      .build();
    const asked = client.prompt().user((u) => u.text('<x> {x}').param('x', 1));
    await asked.call().content();
    await asked.templateRenderer(noopRenderer).call().content();
    expect(model.prompts.map(({ userMessage: { text } }) => text)).toEqual(['1 {x}', '<x> {x}']);
  });
});

describe('specs', () => {
  it('are immutable: one that is kept serves many requests', async () => {
    const model = new HandWrittenModel(['ok']);
    const spec = ChatClient.create(model).prompt().system('s');
    const answers = await Promise.all(['a', 'b'].map((question) => spec.user(question).call().content()));
    expect(answers).toEqual(['ok', 'ok']);
    await expect(spec.call().content()).resolves.toBe('ok');
    expect(model.prompts.map(textsOf).sort()).toEqual([
      ['system: s'],
      ['system: s', 'user: a'],
      ['system: s', 'user: b'],
    ]);
  });

  it('run nothing before a terminal, and each terminal is a run of its own', async () => {
    const model = new HandWrittenModel(['one', 'two', 'three']);
    const call = ChatClient.create(model).prompt('q').call();
    const stream = ChatClient.create(model).prompt('q').stream();
    const text = stream.content();
    expect(model.prompts).toHaveLength(0);
    expect(await call.content()).toBe('one');
    expect(await call.content()).toBe('two');
    expect((await collect(text)).join('')).toBe('three');
    expect((await collect(stream.content())).join('')).toBe('three');
    expect(model.prompts).toHaveLength(4);
  });

  it('streams can be read once', async () => {
    const stream = ChatClient.create(new HandWrittenModel(['a']))
      .prompt('q')
      .stream()
      .content();
    await collect(stream);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('options', () => {
  it('keep nulls for the model, so that they unset its defaults', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.builder(model)
      .defaultOptions({ temperature: 0.7, stopSequences: ['a'], topP: 1 })
      .build();
    await client
      .prompt('q')
      .options({ temperature: null, topP: undefined, stopSequences: ['b'] })
      .call()
      .content();
    expect(model.prompts[0]?.options).toEqual({ temperature: null, stopSequences: ['b'], topP: 1 });
  });
});

describe('builder and mutate()', () => {
  it('what was built stays as it is', async () => {
    const model = new HandWrittenModel(['ok']);
    const builder = ChatClient.builder(model).defaultSystem('one');
    const first = builder.build();
    const twin = builder.clone();
    builder.defaultSystem('two');
    for (const client of [first, builder.build(), twin.build()]) await client.prompt('q').call().content();
    expect(model.prompts.map(({ systemMessage: { text } }) => text)).toEqual(['one', 'two', 'one']);
  });

  it('a client from a client, and from a request with all that it says', async () => {
    const model = new HandWrittenModel(['ok']);
    const base = ChatClient.builder(model).defaultSystem('base').build();
    const brief = base.mutate().defaultOptions({ maxTokens: 5 }).build();
    const spec = brief
      .prompt()
      .system((s) => s.text('In {language}').param('language', 'Dutch'))
      .messages(userMessage('earlier'), assistantMessage('answer'))
      .options({ temperature: 0 })
      .signal(AbortSignal.abort())
      .timeout(60_000)
      .observation(noopObservationRegistry.start({ kind: 'chat_client', name: 'of one run', data: {} }));
    const derived = spec.mutate().build();
    await derived.prompt('q').call().content();
    await base.prompt('q').call().content();
    expect(textsOf(model.prompts[0])).toEqual(['system: In Dutch', 'user: earlier', 'assistant: answer', 'user: q']);
    expect(model.prompts[0]?.options).toEqual({ maxTokens: 5, temperature: 0 });
    expect([model.contexts[0]?.signal, model.contexts[0]?.observation]).toEqual([undefined, undefined]);
    expect(textsOf(model.prompts[1])).toEqual(['system: base', 'user: q']);
  });
});

describe('advisor params', () => {
  it('refuse null and undefined', () => {
    const { prompt } = { prompt: () => ChatClient.create(new HandWrittenModel(['ok'])).prompt() };
    const refused = expect.objectContaining({ code: 'invalid_argument', subject: 'tenant' });
    // @ts-expect-error an untyped caller
    expect(() => prompt().advisors((a) => a.param('tenant', null))).toThrow(refused);
    // @ts-expect-error an untyped caller
    expect(() => prompt().advisors((a) => a.params({ tenant: undefined }))).toThrow(refused);
  });

  it('come back in the context of the response, defaults below the request', async () => {
    const client = ChatClient.builder(new HandWrittenModel(['ok']))
      .defaultAdvisors((a) => a.param('a', 1).param('b', 1))
      .build();
    const { context } = await client
      .prompt('q')
      .advisors((a) => a.params({ b: 2 }))
      .call()
      .chatClientResponse();
    expect(context).toEqual({ a: 1, b: 2 });
  });
});

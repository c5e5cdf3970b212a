import { getEventListeners } from 'node:events';
import {
  ChatClient,
  type EntityOptions,
  MessageChatMemoryAdvisor,
  StructuredOutputValidationAdvisor,
} from '@vernal/client-chat';
import {
  jsonSchema,
  type Logger,
  listConverter,
  MessageWindowChatMemory,
  mapConverter,
  StructuredOutputError,
  schemaConverter,
  tool,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const Film = z.object({ title: z.string(), year: z.number().int(), cast: z.array(z.string()).default([]) });
const VOLVER = '{"title":"Volver","year":2006}';

/** The same question by every terminal that gives an entity. */
const MODES = {
  call: (client: ChatClient, options?: EntityOptions) => client.prompt('q').call().entity(Film, options),
  'stream, result() alone': (client: ChatClient, options?: EntityOptions) =>
    client.prompt('q').stream().entity(Film, options).result(),
  'stream, loop and result()': async (client: ChatClient, options?: EntityOptions) => {
    const films = client.prompt('q').stream().entity(Film, options);
    for await (const _ of films);
    return films.result();
  },
};

describe.each(Object.entries(MODES))('an entity by %s', (_, ask) => {
  it.each([
    VOLVER,
    `Here is {the} film:\n\n\`\`\`json\r\n${VOLVER}\r\n\`\`\`\r\nEnjoy!`,
    `~~~json\n${VOLVER}\n~~~`,
    `Sure. ${VOLVER} Anything else?`,
    `\`\`\`json ${VOLVER}\`\`\``,
    '{"title":"Volver","year":2006,"cast":[],}',
    `<think>{"title":"no"}</think>${VOLVER}`,
  ])('is read out of %j', async (text) => {
    const client = ChatClient.create(new ScriptedChatModel([{ text, chunks: 'char' }]));
    expect(await ask(client)).toEqual({ title: 'Volver', year: 2006, cast: [] });
  });

  it('fails with the text, the issues and the usage', async () => {
    const text = '{"title":"Volver","year":"2006"}';
    const client = ChatClient.create(new ScriptedChatModel([{ text, usage: { totalTokens: 7 } }]));
    const error: unknown = await ask(client).catch((failure: unknown) => failure);
    expect(StructuredOutputError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'structured_output', rawText: text, attempts: 1, usage: { totalTokens: 7 } });
    expect(StructuredOutputError.is(error) && error.issues[0]?.path).toEqual(['year']);
    expect(String(error)).not.toContain('Volver');
  });

  it('asks for the format next to the model only', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const model = new ScriptedChatModel([VOLVER]);
    const client = ChatClient.builder(model)
      .defaultAdvisors((a) =>
        a.advisors(new MessageChatMemoryAdvisor({ chatMemory })).params({ chat_memory_conversation_id: 'c' }),
      )
      .build();
    await ask(client);
    expect(model.prompts[0]?.userMessage.text).toMatch(/^q\n[\s\S]*"title"/);
    expect(model.prompts[0]?.options.outputSchema).toBeUndefined();
    expect((await chatMemory.get('c'))[0]).toMatchObject({ type: 'user', text: 'q' });
  });

  it('asks for the format alone beside a picture without words', async () => {
    const model = new ScriptedChatModel([VOLVER], { capabilities: { mediaInput: ['image/*'] } });
    const spec = ChatClient.create(model)
      .prompt()
      .user((u) => u.media('image/png', new Uint8Array([1])));
    await spec.call().entity(Film);
    expect(model.prompts[0]?.userMessage.text).toBe(schemaConverter(Film).format);
  });

  it('uses the structured output of the provider instead, when asked to', async () => {
    const model = new ScriptedChatModel([VOLVER]);
    await ask(ChatClient.create(model), { native: true });
    expect(model.prompts[0]?.userMessage.text).toBe('q');
    expect(model.prompts[0]?.options.outputSchema).toMatchObject({ type: 'object', required: ['title', 'year'] });
  });

  it.each(['json', 'none'] as const)(
    'a model whose outputSchema is %s: an error, or a warning and words',
    async (outputSchema) => {
      const refused = new ScriptedChatModel([], { capabilities: { outputSchema } });
      await expect(ask(ChatClient.create(refused), { native: true })).rejects.toMatchObject({
        code: 'unsupported_capability',
        capability: 'outputSchema',
      });
      const warnings: string[] = [];
      const logger: Logger = { debug() {}, info() {}, warn: (line) => warnings.push(line) };
      const model = new ScriptedChatModel([VOLVER], { capabilities: { outputSchema } });
      expect(await ask(ChatClient.create(model, { onUnsupported: 'warn', logger }), { native: true })).toMatchObject({
        year: 2006,
      });
      expect(model.prompts[0]?.userMessage.text).toContain('"title"');
      expect(warnings).toHaveLength(1);
    },
  );

  it('validate shows the model its answer and the faults', async () => {
    const bad = '{"title":"Volver","year":"2006"}';
    const model = new ScriptedChatModel([
      { text: bad, usage: { totalTokens: 1 } },
      { text: 'no idea', usage: { totalTokens: 2 } },
      { text: VOLVER, usage: { totalTokens: 4 } },
    ]);
    expect(await ask(ChatClient.create(model), { validate: true })).toMatchObject({ title: 'Volver' });
    const [, second, third] = model.prompts;
    expect(second?.messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'user']);
    expect(second?.messages[1]).toMatchObject({ text: bad });
    expect(second?.userMessage.text).toMatch(/- year: /);
    expect(third?.messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'user']);
    expect(third?.messages[1]).toMatchObject({ text: 'no idea' });
  });

  it('validate gives up after its repeats, with all attempts counted', async () => {
    const model = new ScriptedChatModel(
      ['a', 'b', 'c'].map((text): ScriptStep => ({ text, usage: { totalTokens: 1 } })),
    );
    const error = await ask(ChatClient.create(model), { validate: { maxRepeats: 2 } }).catch(
      (failure: unknown) => failure,
    );
    expect(error).toMatchObject({ code: 'structured_output', rawText: 'c', attempts: 3, usage: { totalTokens: 3 } });
    model.assertComplete();
  });

  it('goes on with tools, and reads only what the model said last', async () => {
    const time = tool({ name: 'time', execute: () => 'noon' });
    for (const validate of [false, true]) {
      for (const text of ['I look for {"title":"x","year":1}.', 'One moment.', '']) {
        const model = new ScriptedChatModel([{ text, toolCalls: [{ name: 'time', arguments: {} }] }, VOLVER]);
        const client = ChatClient.builder(model).defaultTools(time).build();
        expect(await ask(client, { validate })).toMatchObject({ title: 'Volver', year: 2006 });
        // An answer that calls tools is no faulty value: they run, and nothing is asked in between.
        expect(model.prompts.map(({ messages }) => messages.at(-1)?.type)).toEqual(['user', 'tool']);
      }
    }
  });

  it('takes the defaults of the client', async () => {
    const model = new ScriptedChatModel(['no', VOLVER]);
    const client = ChatClient.builder(model)
      .defaultEntityOptions({ native: true, validate: { maxRepeats: 1 } })
      .build();
    expect(await ask(client)).toMatchObject({ year: 2006 });
    expect(model.prompts[1]?.options.outputSchema).toBeDefined();
    const once = new ScriptedChatModel(['no']);
    await expect(
      ask(ChatClient.builder(once).defaultEntityOptions({ validate: true }).build(), { validate: false }),
    ).rejects.toMatchObject({
      code: 'structured_output',
    });
  });
});

describe('entity()', () => {
  it('takes converters, other top-level types, and a JSON Schema with a type of one’s own', async () => {
    const client = (text: string) =>
      ChatClient.create(new ScriptedChatModel([text]))
        .prompt('q')
        .call();
    expect(await client('a, "b, c"').entity(listConverter())).toEqual(['a', 'b, c']);
    expect(await client('{"a":1}').entity(mapConverter())).toEqual({ a: 1 });
    expect(
      await client('```json\n[{"name":"a"},{"name":"b"}]\n```').entity(z.array(z.object({ name: z.string() }))),
    ).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(await client('"red"').entity(z.enum(['red', 'green']))).toBe('red');
    expect(await client('4.5').entity(z.number())).toBe(4.5);
    expect(await client('{"name":"Delft"}').entity(jsonSchema<{ name: string }>({ type: 'object' }))).toEqual({
      name: 'Delft',
    });
    const plain = new ScriptedChatModel(['abc']);
    const asIs = { format: '', convert: (text: string) => text.length };
    expect(await ChatClient.create(plain).prompt('q').call().entity(asIs)).toBe(3);
    expect(plain.prompts[0]?.userMessage.text).toBe('q');
    const xml = { format: 'Answer with one XML element.', convert: (text: string) => ({ tag: text.slice(1, 4) }) };
    expect(await client('<abc/>').entity(xml)).toEqual({ tag: 'abc' });
    await expect(client('<abc/>').entity(xml, { native: true })).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'native',
    });
    await expect(client('x').entity(Film, { validate: { maxRepeats: -1 } })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it.each([undefined, null, {}, [], 'schema', () => 1])('refuses %o before the model is asked', async (wanted) => {
    const model = new ScriptedChatModel(['{"a":1}']);
    const spec = ChatClient.create(model).prompt('q');
    const refused = expect.objectContaining({ code: 'invalid_argument', subject: 'schema' });
    // @ts-expect-error: neither a schema nor a converter
    await expect(spec.call().entity(wanted)).rejects.toEqual(refused);
    // @ts-expect-error: neither a schema nor a converter
    expect(() => spec.stream().entity(wanted)).toThrow(refused);
    expect(model.prompts).toEqual([]);
  });

  it('asks in words for what has no schema, although native is the default of the client', async () => {
    const model = new ScriptedChatModel(['a, b']);
    const client = ChatClient.builder(model).defaultEntityOptions({ native: true }).build();
    expect(await client.prompt('q').call().entity(listConverter())).toEqual(['a', 'b']);
    expect(model.prompts[0]?.userMessage.text).toBe(`q\n${listConverter().format}`);
    expect(model.prompts[0]?.options.outputSchema).toBeUndefined();
  });

  it('gives the response beside the entity', async () => {
    const model = new ScriptedChatModel([{ text: VOLVER, usage: { totalTokens: 3 } }]);
    const { response, entity } = await ChatClient.create(model).prompt('q').call().responseEntity(Film);
    expect(entity.year).toBe(2006);
    expect(response.metadata.usage.totalTokens).toBe(3);
  });
});

describe('a schema that waits', () => {
  it('validates, and does not hold up an abort or a timeout', async () => {
    let ask: (() => void) | undefined;
    const Slow = z.string().refine(async (text) => {
      if (text === 'good') return true;
      ask?.();
      return new Promise<boolean>(() => {});
    });
    const spec = (text: string) => ChatClient.create(new ScriptedChatModel([JSON.stringify(text)])).prompt('q');
    expect(await spec('good').call().entity(Slow)).toBe('good');
    expect(await spec('good').stream().entity(Slow).result()).toBe('good');
    await expect(spec('never').timeout(1).call().entity(Slow)).rejects.toMatchObject({ code: 'timeout' });
    for (const stream of [false, true]) {
      const controller = new AbortController();
      ask = () => controller.abort();
      const asked = spec('never').signal(controller.signal);
      const answer = stream ? asked.stream().entity(Slow).result() : asked.call().entity(Slow);
      await expect(answer).rejects.toMatchObject({ code: 'aborted' });
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    }
  });
});

describe('a streamed entity', () => {
  const long = '{"title":"All About My Mother","year":1999,"cast":["Cecilia Roth","Marisa Paredes"]}';

  it('is snapshots that only grow', async () => {
    const films = ChatClient.create(new ScriptedChatModel([{ text: `Sure: ${long}`, chunks: 'char' }]))
      .prompt('q')
      .stream()
      .entity(Film);
    const snapshots = await collect(films);
    expect(snapshots.length).toBeGreaterThan(20);
    for (const [i, snapshot] of snapshots.entries()) {
      const before = snapshots[i - 1];
      expect((snapshot.title ?? '').startsWith(before?.title ?? '')).toBe(true);
      expect(snapshot.cast?.length ?? 0).toBeGreaterThanOrEqual(before?.cast?.length ?? 0);
      expect(snapshot).not.toEqual(before);
      expect([undefined, 1999]).toContain(snapshot.year);
    }
    expect(await films.result()).toEqual(JSON.parse(long));
    expect(await films.result()).toEqual(JSON.parse(long));
  });

  it.each<[string, z.ZodType, string, unknown[]]>([
    ['with its defaults', Film, VOLVER, [{ title: 'Volver', year: 2006, cast: [] }]],
    ['a number, which may have gone on', z.number(), '42', [42]],
    [
      'what had to be mended',
      Film,
      '{“title”: “Volver”, “year”: 2006, “cast”: [],}',
      [JSON.parse(VOLVER.replace('}', ',"cast":[]}'))],
    ],
    ['unless it is not valid', z.number().max(1), '42', []],
    ['unless it is none that goes on from what was shown', z.string().transform((text) => text.length), '"ab"', ['ab']],
    ['unless it was shown', z.string(), '"ab"', ['ab']],
  ])('ends with the validated value: %s', async (_, schema, text, last) => {
    const stream = ChatClient.create(new ScriptedChatModel([{ text, chunks: 'char' }]))
      .prompt('q')
      .stream()
      .entity(schema);
    expect((await collect(stream)).slice(-1)).toEqual(last);
    const result = await schema.safeParseAsync(last[0]);
    if (last.length === 0 || !result.success) await expect(stream.result()).rejects.toMatchObject({ rawText: text });
    else expect(await stream.result()).toEqual(result.data);
  });

  it('shows nothing of a thought, wherever it stands', async () => {
    for (const before of [
      '<think>{"title":"no"}</think>',
      'Sure.\n<THINKING>[{"title":"no"}]</THINKING >\n',
      'A <b>film</b>: ',
    ]) {
      const text = `${before}${VOLVER}`;
      const films = ChatClient.create(new ScriptedChatModel([{ text, chunks: 'char' }]))
        .prompt('q')
        .stream()
        .entity(Film);
      for await (const { title = '' } of films) expect('Volver'.startsWith(title)).toBe(true);
      expect(await films.result()).toMatchObject({ title: 'Volver' });
    }
  });

  it('begins anew after a round of tools', async () => {
    const time = tool({ name: 'time', execute: () => 'noon' });
    const model = new ScriptedChatModel([
      { text: '{"title":"draft"}', toolCalls: [{ name: 'time', arguments: {} }], chunks: 'char' },
      { text: '{"title":"draft two","year":1}', chunks: 'char' },
    ]);
    const films = ChatClient.create(model).prompt('q').tools(time).stream().entity(Film);
    const snapshots = await collect(films);
    // What goes on from what was shown is shown while it comes.
    expect(snapshots).toContainEqual({ title: 'draft tw' });
    expect(snapshots.at(-1)).toMatchObject({ title: 'draft two' });
    expect(await films.result()).toMatchObject({ title: 'draft two', year: 1 });
  });

  it('can be looped over once', async () => {
    const films = ChatClient.create(new ScriptedChatModel([VOLVER]))
      .prompt('q')
      .stream()
      .entity(Film);
    await films.result();
    await expect(collect(films)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('that is left has no result', async () => {
    const films = ChatClient.create(new ScriptedChatModel([{ text: long, chunks: 'char' }]))
      .prompt('q')
      .stream()
      .entity(Film);
    for await (const _ of films) break;
    await expect(films.result()).rejects.toMatchObject({ code: 'aborted' });
  });

  it('that fails rejects the loop and the result alike', async () => {
    const films = ChatClient.create(
      new ScriptedChatModel([{ text: long, chunks: 'char', error: new Error('reset'), afterChunks: 9 }]),
    )
      .prompt('q')
      .stream()
      .entity(Film);
    await expect(collect(films)).rejects.toThrow('reset');
    await expect(films.result()).rejects.toThrow('reset');
  });

  it('asks nothing before it is read', async () => {
    const model = new ScriptedChatModel([VOLVER]);
    const films = ChatClient.create(model).prompt('q').stream().entity(Film);
    expect(model.prompts).toHaveLength(0);
    await films.result();
    model.assertComplete();
  });

  it('holds the text back until it is valid, when it validates', async () => {
    const model = new ScriptedChatModel([
      { text: '{"title":"bad","year":"x"}', chunks: 'char' },
      { text: VOLVER, chunks: 'char' },
    ]);
    const films = ChatClient.create(model).prompt('q').stream().entity(Film, { validate: true });
    const film = { title: 'Volver', year: 2006 };
    expect(await collect(films)).toEqual([film, { ...film, cast: [] }]);
  });
});

describe('StructuredOutputValidationAdvisor', () => {
  it('watches content() too, in both modes', async () => {
    const advisor = new StructuredOutputValidationAdvisor({ schema: Film, maxRepeats: 1 });
    const client = (model: ScriptedChatModel) => ChatClient.builder(model).defaultAdvisors(advisor).build().prompt('q');
    expect(
      await client(new ScriptedChatModel(['no', VOLVER]))
        .call()
        .content(),
    ).toBe(VOLVER);
    expect(
      await collect(
        client(new ScriptedChatModel(['no', VOLVER]))
          .stream()
          .content(),
      ),
    ).toEqual([VOLVER]);
    await expect(
      client(new ScriptedChatModel(['no', 'no']))
        .call()
        .content(),
    ).rejects.toMatchObject({ attempts: 2 });
    expect(() => new StructuredOutputValidationAdvisor({ schema: Film, maxRepeats: -1 })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'maxRepeats' }),
    );
  });

  it.each(['call', 'stream'] as const)('reads past thinking, fences and words around them, in a %s', async (mode) => {
    const text = `<think>{"title":1}</think>Here it is:\n\`\`\`json\n${VOLVER}\n\`\`\``;
    const model = new ScriptedChatModel([text]);
    const advisor = new StructuredOutputValidationAdvisor({ schema: Film });
    const spec = ChatClient.builder(model).defaultAdvisors(advisor).build().prompt('q');
    expect(mode === 'call' ? await spec.call().content() : (await collect(spec.stream().content())).join('')).toBe(
      text,
    );
    model.assertComplete();
  });

  it('keeps failed attempts out of the turn, and counts them', async () => {
    const model = new ScriptedChatModel([
      { text: 'no', usage: { totalTokens: 1 } },
      { text: VOLVER, usage: { totalTokens: 2 } },
    ]);
    const { turn, chatResponse } = await ChatClient.create(model)
      .prompt('q')
      .advisors(new StructuredOutputValidationAdvisor({ schema: Film, scope: 'turn' }))
      .call()
      .chatClientResponse();
    expect(turn.map((message) => (message.type === 'tool' ? '' : message.text))).toEqual(['q', VOLVER]);
    expect(chatResponse?.metadata.usage.totalTokens).toBe(3);
  });
});

describe('an answer that ended before its value', () => {
  it.each(['length', 'content_filter', 'blocked'])('says so: %s', async (finishReason) => {
    const cut = { text: '{"title":"Vol', finishReason };
    const client = ChatClient.create(new ScriptedChatModel([cut, cut, cut]));
    const runs = [
      () => client.prompt('q').call().entity(Film),
      () =>
        client
          .prompt('q')
          .call()
          .entity(Film, { validate: { maxRepeats: 0 } }),
      () => client.prompt('q').stream().entity(Film).result(),
    ];
    for (const run of runs) {
      await expect(run()).rejects.toMatchObject({
        code: 'structured_output',
        message: expect.stringContaining(`ended with '${finishReason}'`),
        details: { finishReason },
      });
    }
  });
});

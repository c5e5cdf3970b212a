import {
  ChatClient,
  type ChatClientRequestSpec,
  type ChatClientResponse,
  foldClient,
  MessageChatMemoryAdvisor,
  PromptChatMemoryAdvisor,
} from '@vernal/client-chat';
import {
  RedactionAdvisor,
  type RedactionAdvisorOptions,
  type RedactionPattern,
  redactionPatterns,
} from '@vernal/client-chat/advisors';
import {
  assistantMessage,
  MessageWindowChatMemory,
  type Prompt,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const { email } = redactionPatterns;

function redacting(steps: readonly ScriptStep[], options: Partial<RedactionAdvisorOptions> = {}) {
  const model = new ScriptedChatModel(steps);
  const chatMemory = new MessageWindowChatMemory();
  const client = ChatClient.builder(model)
    .defaultAdvisors(new RedactionAdvisor({ patterns: [email], ...options }))
    .build();
  const remembering = client.mutate().defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory })).build();
  return { model, client, chatMemory, remembering };
}

/** Every word of it that the model was sent. */
const sent = (prompts: readonly Prompt[]): string => JSON.stringify(prompts.map(({ messages }) => messages));

describe.each(['call', 'stream'] as const)('RedactionAdvisor in a %s', (mode) => {
  const respond = (spec: ChatClientRequestSpec): Promise<ChatClientResponse> =>
    mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
  const ask = async (spec: ChatClientRequestSpec): Promise<string | undefined> =>
    (await respond(spec)).chatResponse?.result?.output.text;

  it('keeps what matches from the model, and from the reader what the model says of it', async () => {
    const { client, model } = redacting(['Write to bob@example.org or ann@example.org.']);
    const response = await respond(client.prompt().system('Boss: eve@example.org').user('I am ann@example.org'));
    expect(model.prompts[0]?.messages.map((message) => 'text' in message && message.text)).toEqual([
      'Boss: [EMAIL]',
      'I am [EMAIL]',
    ]);
    expect(response.chatResponse?.result?.output.text).toBe('Write to [EMAIL] or [EMAIL].');
    expect(response.turn).toEqual([
      userMessage('I am ann@example.org'),
      assistantMessage('Write to [EMAIL] or [EMAIL].'),
    ]);
  });

  it('puts originals back, and leaves alone what the model says by itself', async () => {
    const { client, model } = redacting(['[EMAIL_2] knows [EMAIL_1], not [EMAIL_3] or help@example.org'], {
      restore: true,
    });
    const text = await ask(client.prompt('ann@example.org, bob@example.org, ann@example.org'));
    expect(model.prompts[0]?.userMessage.text).toBe('[EMAIL_1], [EMAIL_2], [EMAIL_1]');
    expect(text).toBe('bob@example.org knows ann@example.org, not [EMAIL_3] or help@example.org');
  });

  it('gives no two texts one placeholder, however alike the replacements', async () => {
    const { client, model } = redacting(['[ID_1] and [ID_2]'], {
      patterns: [
        { pattern: /K-\d+/, replacement: '[ID]' },
        { pattern: /P-\d+/, replacement: 'ID' },
      ],
      restore: true,
    });
    expect(await ask(client.prompt('K-1 or P-2'))).toBe('K-1 and P-2');
    expect(model.prompts[0]?.userMessage.text).toBe('[ID_1] or [ID_2]');
  });

  it('puts thousands of originals back', async () => {
    const addresses = Array.from({ length: 8_000 }, (_, i) => `user${i}@example.org`).join(' ');
    const { client } = redacting([({ userMessage: { text } }) => ({ text, chunks: Array(400).fill(300) })], {
      restore: true,
    });
    expect(await ask(client.prompt(addresses))).toBe(addresses);
  });

  it('does not mistake what the user wrote for a placeholder', async () => {
    const { client, model } = redacting(['[EMAIL_1] is no address, [EMAIL_2] is'], { restore: true });
    const text = await ask(client.prompt('What is [EMAIL_1]? I am ann@example.org'));
    expect(model.prompts[0]?.userMessage.text).toBe('What is [EMAIL_1]? I am [EMAIL_2]');
    expect(text).toBe('[EMAIL_1] is no address, ann@example.org is');
  });

  it('calls tools with the originals, and redacts what they answer', async () => {
    const calls: unknown[] = [];
    const find = tool({
      name: 'find',
      input: z.object({ who: z.string() }),
      execute: ({ who }) => {
        calls.push(who);
        return { boss: 'eve@example.org', phone: 5551234567 };
      },
    });
    const steps: ScriptStep[] = [
      { toolCalls: [{ id: 'f', name: 'find', arguments: { who: '[EMAIL_1]' } }] },
      'The boss of [EMAIL_1] is [EMAIL_2].',
    ];
    const { remembering, model, chatMemory } = redacting(steps, { restore: true });
    const text = await ask(remembering.prompt('Who leads ann@example.org?').tools(find).conversation('c'));
    expect(text).toBe('The boss of ann@example.org is eve@example.org.');
    expect(calls).toEqual(['ann@example.org']);
    expect(sent(model.prompts)).not.toContain('@');
    const stored = JSON.stringify(await chatMemory.get('c'));
    expect(stored).toContain('ann@example.org');
    expect(stored).not.toContain('[EMAIL');
  });

  it('redacts the calls of tools that nobody runs', async () => {
    const { client } = redacting([
      {
        text: 'One moment, x@example.org',
        toolCalls: [{ id: 'm', name: 'mail', arguments: { to: ['y@example.org'] } }],
      },
    ]);
    const response = await respond(client.mutate().toolCalling(false).build().prompt('q'));
    expect(response.chatResponse?.result).toMatchObject({
      output: {
        text: 'One moment, [EMAIL]',
        toolCalls: [{ id: 'm', name: 'mail', arguments: '{"to":["[EMAIL]"]}' }],
      },
      metadata: { finishReason: 'tool_calls' },
    });
  });

  it('changes strings and numbers of JSON one by one, and writes nothing else anew', async () => {
    const { client, model } = redacting(['ok'], { patterns: [{ pattern: /\d{16}/, replacement: '"card"' }] });
    const json =
      '{ "card": 4111111111111111, "big": 12345678901234567890123, "text": "no \\"4111111111111111\\"", "n": 1.0 }';
    await ask(
      client.prompt([
        userMessage('q'),
        assistantMessage({ toolCalls: [{ id: 'a', name: 'find', arguments: json }] }),
        toolResponseMessage([
          { id: 'a', name: 'find', result: '[4111111111111111, "x"]', structured: { n: 4111111111111111 } },
        ]),
      ]),
    );
    const [, call, answer] = model.prompts[0]?.messages ?? [];
    expect(call?.type === 'assistant' && call.toolCalls[0]?.arguments).toBe(
      '{ "card": "\\"card\\"", "big": "\\"card\\"7890123", "text": "no \\"\\"card\\"\\"", "n": 1.0 }',
    );
    expect(answer?.type === 'tool' && answer.responses[0]).toMatchObject({
      result: '["\\"card\\"", "x"]',
      structured: { n: '"card"' },
    });
  });

  it('spells originals so that an entity can be read', async () => {
    const quoted: RedactionPattern = { pattern: /<[^>]{1,40}>/, replacement: '[NAME]', maxLength: 42 };
    const { client } = redacting(['{"name":"[NAME_1]"}'], { patterns: [quoted], restore: true });
    const spec = client.prompt('I am <Ann "the\\best" Lee>');
    const schema = z.object({ name: z.string() });
    const entity = mode === 'call' ? await spec.call().entity(schema) : await spec.stream().entity(schema).result();
    expect(entity).toEqual({ name: '<Ann "the\\best" Lee>' });
  });

  it('stands further in than memory, in messages or in words, and the memory has the originals', async () => {
    const { client, model } = redacting(['Hi [EMAIL_1]', 'You are [EMAIL_1]'], { restore: true });
    const chatMemory = new MessageWindowChatMemory();
    const remembering = client.mutate().defaultAdvisors(new PromptChatMemoryAdvisor({ chatMemory })).build();
    await ask(remembering.prompt('I am ann@example.org').conversation('c'));
    expect(await ask(remembering.prompt('Who am I?').conversation('c'))).toBe('You are ann@example.org');
    expect(sent(model.prompts)).not.toContain('ann@');
    expect(JSON.stringify(await chatMemory.get('c'))).toContain('Hi ann@example.org');
  });

  it('keeps originals out of a memory that stands further in', async () => {
    const { remembering, chatMemory } = redacting(['Hi [EMAIL_1]'], {
      restore: true,
      scope: 'turn',
      order: -2_147_483_600,
    });
    expect(await ask(remembering.prompt('I am ann@example.org').conversation('c'))).toBe('Hi ann@example.org');
    expect(await chatMemory.get('c')).toEqual([userMessage('I am [EMAIL_1]'), assistantMessage('Hi [EMAIL_1]')]);
  });

  it('does not move, or mind, where a pattern stands', async () => {
    const pattern = /a+/gy;
    pattern.lastIndex = 3;
    const { client, model } = redacting(['x', 'y'], { patterns: [{ pattern, replacement: '*', maxLength: 4 }] });
    await ask(client.prompt('baab'));
    await ask(client.prompt('aab'));
    expect(pattern.lastIndex).toBe(3);
    expect(model.prompts.map(({ userMessage: { text } }) => text)).toEqual(['b*b', '*b']);
  });

  it('takes a match of no length for none', async () => {
    const { client, model } = redacting(['x'], { patterns: [{ pattern: /a*|(?=b)/u, replacement: '*' }] });
    await ask(client.prompt('b\u{1F600}aab\u{1F600}'));
    expect(model.prompts[0]?.userMessage.text).toBe('b\u{1F600}*b\u{1F600}');
  });

  it('replaces a match that is too long piece by piece', async () => {
    const { client, model } = redacting(['8'.repeat(25)], {
      patterns: [{ pattern: /\d+/, replacement: '#', maxLength: 10 }],
    });
    expect(await ask(client.prompt(`${'7'.repeat(21)}!`))).toBe('###');
    expect(model.prompts[0]?.userMessage.text).toBe('###!');
  });

  it('comes to an end in a long text', async () => {
    const text = `${'a.b-c@'.repeat(2_000)}${'1 '.repeat(5_000)}${'x'.repeat(20_000)}`;
    const { client } = redacting([text], { patterns: Object.values(redactionPatterns) });
    expect(await ask(client.prompt(text))).toContain('x'.repeat(20_000));
  });

  it('passes an abort on', async () => {
    const controller = new AbortController();
    const { client } = redacting([
      () => {
        controller.abort();
        return 'x';
      },
    ]);
    await expect(ask(client.prompt('q').signal(controller.signal))).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a stream', () => {
  const words = fc.constantFrom(
    'ann@example.org',
    'x',
    ' ',
    '@',
    'bob@example.org',
    '.',
    '12',
    '4111 1111 1111 1111',
    '\u{1F600}',
    'é',
    '[EMAIL_1]',
    '[EMAIL',
    '_1]',
    '+49 30 1234567',
    '10.0.0.1',
    '::1',
    'DE89 3704 0044 0532 0130 00',
    '\n',
    '-',
    '0',
  );
  const texts = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(''));
  const cuts = fc.oneof(fc.constant('char' as const), fc.array(fc.nat(40), { maxLength: 12 }));
  const numberRun: RedactionPattern = { pattern: /\d[\d ]*/, replacement: '#', maxLength: 6 };
  const patternSets: RedactionPattern[][] = [
    Object.values(redactionPatterns),
    [email],
    [numberRun],
    [
      numberRun,
      { pattern: /(?<=@)\w+/, replacement: '<HOST>', maxLength: 9 },
      { pattern: /o?r?g?$|^x/, replacement: '^', maxLength: 3 },
    ],
    [{ pattern: /\p{Emoji_Presentation}|\b.\b/u, replacement: '', maxLength: 2 }],
    [
      { pattern: /[\uD83D-]/, replacement: '<half>', maxLength: 1 },
      { pattern: /[^a-z]\.?/u, replacement: '_', maxLength: 3 },
    ],
  ];

  it.each([false, true])('says what a call says, however it is cut (restore: %s)', async (restore) => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        texts,
        cuts,
        fc.constantFrom(...patternSets),
        async (question, text, chunks, patterns) => {
          const step: ScriptStep = { text, chunks };
          const called = await redacting([step], { patterns, restore }).client.prompt(`q ${question}`).call().content();
          const streaming = redacting([step], { patterns, restore }).client.prompt(`q ${question}`).stream();
          const pieces = await collect(streaming.content());
          expect(pieces.join('')).toBe(called);
          if (chunks !== 'char') return;
          for (const piece of pieces) expect(piece).not.toMatch(/[\uD800-\uDBFF]$/);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives no more of an address away than none of it', async () => {
    const { client } = redacting([{ text: 'Ask ann@example.org, she knows.', chunks: 'char' }]);
    const pieces = await collect(client.prompt('q').stream().content());
    expect(pieces.join('')).toBe('Ask [EMAIL], she knows.');
  });

  it('redacts across what was said and what a tool answers in place of the model', async () => {
    const direct = tool({ name: 'direct', returnDirect: true, execute: () => 'xample.org' });
    const step: ScriptStep = { text: 'ann@e', toolCalls: [{ name: 'direct', arguments: {} }] };
    const asked = (mode: 'call' | 'stream') => {
      const { client } = redacting([step], { scope: 'turn', order: 0 });
      const spec = client.prompt('q').tools(direct);
      return mode === 'call' ? spec.call().content() : collect(spec.stream().content());
    };
    expect(await asked('call')).toBe('[EMAIL]');
    expect(await asked('stream')).toEqual(['[EMAIL]']);
  });

  it('goes out as it comes when nothing was redacted that could come back', async () => {
    const { client } = redacting(['one two three'], { restore: true });
    expect(await collect(client.prompt('q').stream().content())).toEqual(['one', ' two', ' three']);
  });

  it('holds back only what may become a placeholder', async () => {
    const { client } = redacting([{ text: 'Hi [EM] [EMAIL_1]!', chunks: 'char' }], { restore: true });
    const pieces = await collect(client.prompt('ann@example.org').stream().content());
    expect(pieces).toEqual(['H', 'i', ' ', '[EM]', ' ', 'ann@example.org', '!']);
  });
});

describe('the patterns', () => {
  const hidden = async (text: string): Promise<string | undefined> => {
    const { client, model } = redacting(['x'], { patterns: Object.values(redactionPatterns) });
    await client.prompt(text).call().content();
    return model.prompts[0]?.userMessage.text;
  };

  it.each([
    ['mail ann.lee+x@mail.example.co.uk.', 'mail [EMAIL].'],
    ['jürgen@müller.de', '[EMAIL]'],
    ['call +49 30 1234567 or +1 (555) 234-5678 or (555) 234-5678', 'call [PHONE] or [PHONE] or [PHONE]'],
    ['0049301234567', '[PHONE]'],
    ['card 4111 1111 1111 1111, 5500-0000-0000-0004', 'card [CARD], [CARD]'],
    ['DE89370400440532013000 and DE89 3704 0044 0532 0130 00 OK', '[IBAN] and [IBAN] OK'],
    ['GB29 NWBK 6016 1331 9268 19', '[IBAN]'],
    ['from 192.168.0.1, ::1 and 2001:db8::8a2e:370:7334', 'from [IP], [IP] and [IP]'],
    ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', '[IP]'],
  ])('find %s', async (text, expected) => {
    expect(await hidden(text)).toBe(expected);
  });

  it.each([
    '4111 1111 1111 1112',
    'order 20240115103000123',
    'on 2024-01-15 at 10:30:59',
    'version 1.2.3 or 1.2.3.4.5',
    'DE00370400440532013000',
    'std::vector and a @ b',
    'x@y',
    '999.1.1.1',
  ])('leave %s', async (text) => {
    expect(await hidden(text)).toBe(text);
  });
});

it('needs patterns', () => {
  expect(() => new RedactionAdvisor({ patterns: [] })).toThrow(expect.objectContaining({ subject: 'patterns' }));
  const wrong: unknown[] = [
    { pattern: 'x', replacement: '' },
    { pattern: /x/, replacement: '', maxLength: 0 },
  ];
  for (const pattern of wrong) {
    expect(() => new RedactionAdvisor({ patterns: [pattern as RedactionPattern] })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  }
});

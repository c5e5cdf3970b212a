import { ChatClient, type ChatClientRequest, type ChatClientResponse, SafeGuardAdvisor } from '@vernal/client-chat';
import {
  assistantMessage,
  type ChatModel,
  type ChatResponse,
  chatResponse,
  responseText,
  TEXT_ONLY,
  tool,
  userMessage,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from './collect.js';

const REPLY = 'No.';

function guarded(steps: readonly ScriptStep[], words: readonly string[], check?: readonly ('input' | 'output')[]) {
  const model = new ScriptedChatModel(steps);
  const client = ChatClient.builder(model)
    .defaultAdvisors(new SafeGuardAdvisor({ sensitiveWords: words, failureResponse: REPLY, check }))
    .build();
  return { model, client };
}

async function answersOf(text: string, words: readonly string[], chunks: readonly number[] | 'char' = 'char') {
  const step = { text, chunks };
  const called = await guarded([step], words).client.prompt('q').call().content();
  const { client, model } = guarded([step], words);
  const pieces = await collect(client.prompt('q').stream().chatResponse());
  return { called, streamed: pieces.map(responseText).join(''), last: pieces.at(-1), pieces, model };
}

function reasonOf(response: ChatResponse | undefined): string | undefined {
  return response?.result?.metadata.finishReason;
}

describe('SafeGuardAdvisor', () => {
  it.each(['How to build a BOMB?', 'bomb', 'a (bomb)', 'bomb\nsquad'])(
    'refuses %j before the model is asked',
    async (text) => {
      const { client, model } = guarded([], ['bomb']);
      const response = await client.prompt(text).call().chatResponse();
      expect(responseText(response)).toBe(REPLY);
      expect(reasonOf(response)).toBe('blocked');
      const pieces = await collect(client.prompt(text).stream().chatResponse());
      expect(pieces.map(responseText).join('')).toBe(REPLY);
      expect(reasonOf(pieces.at(-1))).toBe('blocked');
      expect(model.prompts).toHaveLength(0);
    },
  );

  it.each(['bombastic', 'rebomb', 'bomb_1', 'bombé', 'ｂomb'])(
    'lets %j pass: the word is part of another',
    async (text) => {
      expect(await guarded(['ok'], ['bomb']).client.prompt(text).call().content()).toBe('ok');
      const { called, streamed } = await answersOf(text, ['bomb']);
      expect([called, streamed]).toEqual([text, text]);
    },
  );

  it.each([
    ['如何制造炸弹？', '炸弹'],
    ['制造bomb的方法', 'bomb'],
    ['폭탄을 만드는 법', '폭탄'],
    ['爆弾の作り方', '爆弾'],
  ])('finds words in scripts without spaces: %s', async (text, word) => {
    expect(await guarded([], [word]).client.prompt(text).call().content()).toBe(REPLY);
    expect((await answersOf(text, [word])).streamed).toContain(REPLY);
  });

  it.each([
    ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['straße', 'STRAẞE'],
    ['kelvin', '\u212aELVIN'],
    ['café', 'cafe\u0301'],
    ['cafe\u0301', 'CAFÉ'],
    ['폭탄', '폭탄'.normalize('NFD')],
    ['two words', 'two\nwords'],
    ['c++', 'C++'],
    ['.net', '.NET'],
  ])('takes for %j what is only written otherwise: %j', async (word, text) => {
    expect(await guarded([], [word]).client.prompt(`so ${text}!`).call().content()).toBe(REPLY);
    const { called, streamed } = await answersOf(`so ${text}!`, [word]);
    expect([called, streamed]).toEqual([REPLY, `so ${REPLY}`]);
  });

  it('looks at what the user says now, not at the system text or at history', async () => {
    const { client, model } = guarded(['ok'], ['bomb']);
    const before = [userMessage('a bomb'), assistantMessage('No bomb.')];
    const spec = client.prompt([...before, userMessage('fine')]).system('Never speak of a bomb.');
    expect(await spec.call().content()).toBe('ok');
    expect(
      await client
        .prompt([...before, userMessage('a bomb!')])
        .call()
        .content(),
    ).toBe(REPLY);
    expect(model.prompts).toHaveLength(1);
  });

  it('looks at all that the user says now, and at the result of a direct tool', async () => {
    const { client, model } = guarded([], ['bomb']);
    expect(
      await client
        .prompt([userMessage('a bomb'), userMessage('fine')])
        .call()
        .content(),
    ).toBe(REPLY);
    expect(model.prompts).toHaveLength(0);
    const direct = tool({ name: 'direct', returnDirect: true, execute: () => 'a bomb' });
    const steps: ScriptStep[] = [{ toolCalls: [{ name: 'direct', arguments: {} }] }];
    expect(await guarded(steps, ['bomb']).client.prompt('q').tools(direct).call().content()).toBe(REPLY);
    const chunks = guarded(steps, ['bomb']).client.prompt('q').tools(direct).stream().content();
    expect((await collect(chunks)).join('')).toBe(REPLY);
  });

  it('looks at every answer of several', async () => {
    const answers = (ends: readonly string[]): ChatResponse => chatResponse(ends.map((text) => ({ text })));
    const model: ChatModel = {
      provider: 'two',
      capabilities: TEXT_ONLY,
      defaultOptions: {},
      call: async () => answers(['fine', 'a bomb']),
      async *stream() {
        yield answers(['fi', 'a bo']);
        yield answers(['ne', 'mb']);
      },
    };
    const guard = new SafeGuardAdvisor({ sensitiveWords: ['bomb'], failureResponse: REPLY });
    const spec = ChatClient.builder(model).defaultAdvisors(guard).build().prompt('q');
    expect((await spec.call().chatResponse()).results.map(({ output }) => output.text)).toEqual([REPLY]);
    const pieces = await collect(spec.stream().chatResponse());
    expect(pieces.flatMap(({ results }) => results.map(({ output }) => output.text)).join('')).not.toContain('mb');
    expect(reasonOf(pieces.at(-1))).toBe('blocked');
  });

  it('checks only what it is told to', async () => {
    expect(await guarded(['bomb'], ['bomb'], ['input']).client.prompt('q').call().content()).toBe('bomb');
    expect(await guarded(['ok'], ['bomb'], ['output']).client.prompt('bomb').call().content()).toBe('ok');
  });

  it('replaces an answer, and keeps its usage', async () => {
    const { client } = guarded([{ text: 'a bomb', usage: { totalTokens: 9 } }], ['bomb']);
    const response = await client.prompt('q').call().chatClientResponse();
    expect(responseText(response.chatResponse ?? ({} as ChatResponse))).toBe(REPLY);
    expect(response.chatResponse?.metadata.usage.totalTokens).toBe(9);
    expect(response.turn).toEqual([]);
  });

  it('stops a stream before a word that comes in pieces, whatever the pieces', async () => {
    for (const chunks of ['char', [7, 1], [7, 2], [7, 4], [7, 5], [5, 5, 5]] as const) {
      const { streamed, last } = await answersOf('Take a bomb and', ['bomb'], chunks);
      expect(streamed).toBe(`Take a ${REPLY}`);
      expect(reasonOf(last)).toBe('blocked');
    }
    expect((await answersOf('Take a bomb and', ['bomb'], [12])).streamed).toBe(REPLY);
  });

  it('closes the model when it stops a stream', async () => {
    let asked = 0;
    const { client, model } = guarded([{ text: 'x bomb y z '.repeat(50), chunks: 'char' }], ['bomb']);
    for await (const _ of client.prompt('q').stream().content()) asked++;
    expect(asked).toBeLessThan(10);
    model.assertComplete();
  });

  it('finds a word at the very end, and lets a beginning of one go at the end', async () => {
    expect((await answersOf('a bomb', ['bomb'])).streamed).toBe(`a ${REPLY}`);
    expect((await answersOf('a bom', ['bomb'])).streamed).toBe('a bom');
    expect((await answersOf('bombs away', ['bomb', 'bombs away now'])).streamed).toBe('bombs away');
  });

  it('holds back no more than may become a word', async () => {
    const { pieces } = await answersOf('all is well, no bo', ['bomb']);
    expect(pieces.map(responseText).filter((text) => text !== '')).toHaveLength('all is well, no '.length + 1);
  });

  it('watches a whole turn, tool rounds included', async () => {
    const time = tool({ name: 'time', execute: () => 'noon' });
    const steps: ScriptStep[] = [{ text: 'Wait.', toolCalls: [{ name: 'time', arguments: {} }] }, 'a bomb'];
    const { client } = guarded(steps, ['bomb']);
    const spec = client.prompt('q').tools(time);
    expect((await collect(spec.stream().content())).join('')).toBe(`Wait.a ${REPLY}`);
    expect(await guarded(steps, ['bomb']).client.prompt('q').tools(time).call().content()).toBe(REPLY);
  });

  it('may be extended: before() and after() of the class stand around it, in both modes', async () => {
    const trail: string[] = [];
    class Watched extends SafeGuardAdvisor {
      override before(request: ChatClientRequest): ChatClientRequest {
        trail.push('before');
        return request;
      }
      override after(response: ChatClientResponse): ChatClientResponse {
        trail.push(`after ${reasonOf(response.chatResponse)}`);
        return response;
      }
    }
    const spec = ChatClient.create(new ScriptedChatModel([]))
      .prompt('a bomb')
      .advisors(new Watched({ sensitiveWords: ['bomb'], failureResponse: REPLY }));
    expect(await spec.call().content()).toBe(REPLY);
    expect(await collect(spec.stream().content())).toEqual([REPLY]);
    expect(trail).toEqual(['before', 'after blocked', 'before', 'after blocked']);
  });

  it('refuses to be built without words, or with blank ones', () => {
    for (const sensitiveWords of [[], ['a', ' ']]) {
      expect(() => new SafeGuardAdvisor({ sensitiveWords })).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    }
  });

  it('lets the same texts pass in a stream as in a call, however they are cut', async () => {
    const letter = fc.constantFrom(
      'b',
      'o',
      'm',
      ' ',
      'é',
      '炸',
      '弹',
      '\n',
      '😀',
      // A letter of two code units.
      '𝐱',
      'B',
      'e\u0301',
      'σ',
      'Σ',
      'ς',
      'ß',
      'ẞ',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(letter, { maxLength: 24 }).map((letters) => letters.join('')),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 }),
        async (text, chunks) => {
          const words = ['bom', 'bomb', 'mob', 'om o', '炸弹', 'bé', 'σοσ', 'oß'];
          const { called, streamed } = await answersOf(text, words, chunks);
          if (called === text) expect(streamed).toBe(text);
          else {
            expect(streamed.endsWith(REPLY)).toBe(true);
            const out = streamed.slice(0, -REPLY.length);
            expect(text.startsWith(out)).toBe(true);
            expect(
              await guarded([], words)
                .client.prompt(`. ${out}`)
                .call()
                .content()
                .catch(() => 'passed'),
            ).toBe('passed');
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

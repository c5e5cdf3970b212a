import type { Logger } from '@vernal/core';
import { PromptTemplate, userMessage } from '@vernal/core';
import { MultiQueryExpander, query, RetrievalAugmentationAdvisor } from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf } from './answering.js';

const asked = query('How do I start the service?', { history: [userMessage('Hi')], context: { tenant: 'acme' } });

async function expanded(
  answer: string,
  options: { readonly numberOfQueries?: number; readonly includeOriginal?: boolean; readonly logger?: Logger } = {},
): Promise<string[]> {
  const expander = new MultiQueryExpander({ model: new ScriptedChatModel([answer]), ...options });
  return (await expander.expand(asked)).map(({ text }) => text);
}

const THREE = ['start a service', 'launch the daemon', 'run it as a service'];

describe('MultiQueryExpander', () => {
  it('gives the query and its variants, with history and context', async () => {
    const model = new ScriptedChatModel(['a\nb\nc']);
    const queries = await new MultiQueryExpander({ model }).expand(asked);
    expect(queries).toEqual([asked, { ...asked, text: 'a' }, { ...asked, text: 'b' }, { ...asked, text: 'c' }]);
    expect(model.prompts[0]?.contents).toContain('Write 3 other ways');
    expect(model.prompts[0]?.contents).toContain('<query>\nHow do I start the service?\n</query>');
    expect(model.prompts[0]?.options.temperature).toBe(0);
  });

  it.each([
    ['plain lines', THREE.join('\n')],
    ['blank lines between', `\n${THREE.join('\n\n')}\n\n`],
    ['Windows line ends', THREE.join('\r\n')],
    ['numbers', THREE.map((text, i) => `${i + 1}. ${text}`).join('\n')],
    ['numbers in parentheses', THREE.map((text, i) => `(${i + 1}) ${text}`).join('\n')],
    ['numbers with a parenthesis', THREE.map((text, i) => `${i + 1}) ${text}`).join('\n')],
    ['bold numbers', THREE.map((text, i) => `**${i + 1}.** ${text}`).join('\n')],
    ['names', THREE.map((text, i) => `Query ${i + 1}: ${text}`).join('\n')],
    ['bullets', THREE.map((text) => `- ${text}`).join('\n')],
    ['round bullets', THREE.map((text) => `• ${text}`).join('\n')],
    ['quotes', THREE.map((text) => `"${text}"`).join('\n')],
    ['typographic quotes', THREE.map((text) => `“${text}”`).join('\n')],
    ['numbers and quotes', THREE.map((text, i) => `${i + 1}. "${text}"`).join('\n')],
    ['quotes and commas', THREE.map((text) => `"${text}",`).join('\n')],
    ['a preamble with a colon', `Here are three variants:\n${THREE.join('\n')}`],
    ['a preamble without one', `Sure, here are three variants\n${THREE.join('\n')}`],
    ['a preamble that is a sentence', `I thought of these queries.\n\n${THREE.join('\n')}`],
    ['words around a list', `Of course!\n\n- ${THREE.join('\n- ')}\n\nI hope this helps!`],
    ['a code fence', `\`\`\`\n${THREE.join('\n')}\n\`\`\``],
    ['thoughts', `<think>\nthree, then\n</think>\n${THREE.join('\n')}`],
    ['more than were asked for', `${THREE.join('\n')}\none more`],
    ['duplicates', `${THREE[0]}\n${THREE[0]?.toUpperCase()}\n${THREE[1]}\n  launch   the daemon\n${THREE[2]}`],
    ['the query itself among them', `how do i start  the service?\n${THREE.join('\n')}`],
  ])('reads %s', async (_name, answer) => {
    expect(await expanded(answer)).toEqual([asked.text, ...THREE]);
  });

  it.each([
    [
      'solar panels cost\nprice of solar panels\nprice of solar panels\nPrice of solar panels \n',
      ['price of solar panels'],
    ],
    ['a\nb\nc\nd\ne\nf', ['a', 'b', 'c']],
    ['\n\n a \n\n\n b \n', ['a', 'b']],
  ])('is searched as often as there are different queries: %j', async (answer, variants) => {
    const searched: string[] = [];
    const advisor = new RetrievalAugmentationAdvisor({
      queryExpander: new MultiQueryExpander({ model: new ScriptedChatModel([answer]) }),
      documentRetriever: ({ text }) => {
        searched.push(text);
        return [];
      },
    });
    await clientOf(new ScriptedChatModel(['ok']), advisor)
      .prompt('solar panels cost')
      .call()
      .content();
    expect(searched).toEqual(['solar panels cost', ...variants]);
  });

  it('uses fewer variants than it asked for', async () => {
    expect(await expanded('1. only one')).toEqual([asked.text, 'only one']);
  });

  it('leaves a number alone that belongs to the words', async () => {
    expect(await expanded('3D printing\n1.5 inch pipe\n3.js tutorial')).toEqual([
      asked.text,
      '3D printing',
      '1.5 inch pipe',
      '3.js tutorial',
    ]);
  });

  it('reads numbers without a space before other scripts', async () => {
    expect(await expanded('1.如何启动服务\n2、怎样运行服务\n3．启动方法')).toEqual([
      asked.text,
      '如何启动服务',
      '怎样运行服务',
      '启动方法',
    ]);
  });

  it('leaves the query out when told so', async () => {
    expect(await expanded('a\nb\nc', { includeOriginal: false })).toEqual(['a', 'b', 'c']);
    expect(await expanded('a\nb\nc', { includeOriginal: false, numberOfQueries: 2 })).toEqual(['a', 'b']);
  });

  it.each(['', ' \n ', '""\n-', 'How do I start the service?'])(
    'gives the query alone for %j, and warns',
    async (answer) => {
      const lines: unknown[] = [];
      const logger: Logger = { debug() {}, info() {}, warn: (...line) => void lines.push(line) };
      expect(await expanded(answer, { logger })).toEqual([asked.text]);
      expect(lines).toEqual([[expect.any(String), { part: 'MultiQueryExpander' }]]);
    },
  );

  it('checks its template and its number', () => {
    const model = new ScriptedChatModel([]);
    expect(
      () => new MultiQueryExpander({ model, promptTemplate: new PromptTemplate('number of query: {number}') }),
    ).toThrow(expect.objectContaining({ code: 'template', missing: ['query'] }));
    for (const numberOfQueries of [0, -1, 1.5, Number.NaN]) {
      expect(() => new MultiQueryExpander({ model, numberOfQueries })).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: 'numberOfQueries' }),
      );
    }
  });

  it('whatever the model writes: the query first, never more than asked, never blank, never twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('1.', '- a', '"', 'A', 'a ', '\n\n', '* *'))),
        fc.integer({ min: 1, max: 4 }),
        async (lines, numberOfQueries) => {
          const texts = await expanded(lines.join('\n'), { numberOfQueries });
          expect(texts[0]).toBe(asked.text);
          expect(texts.length).toBeLessThanOrEqual(numberOfQueries + 1);
          expect(texts.every((text) => /[\p{L}\p{N}]/u.test(text))).toBe(true);
          const keys = texts.map((text) => text.toLowerCase().replace(/\s+/g, ' ').trim());
          expect(new Set(keys).size).toBe(texts.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});

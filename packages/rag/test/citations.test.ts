import { assistantMessage, chatResponse, document } from '@vernal/core';
import { citations, RAG_DOCUMENT_CONTEXT } from '@vernal/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const documents = ['one', 'two', 'three'].map((text) => document({ id: text, text }));

/** Numbers that an answer cites, with the marks that its spans cut out. */
function cited(answer: string): Record<number, string[]> {
  const { text, citations: found } = citations(answer, documents);
  for (const { index, document: of } of found) expect(of).toBe(documents[index - 1]);
  return Object.fromEntries(
    found.map(({ index, spans }) => [index, spans.map(({ start, end }) => text.slice(start, end))]),
  );
}

describe('citations', () => {
  it.each([
    ['Free [1].', { 1: ['[1]'] }],
    ['Free [1, 2].', { 1: ['[1, 2]'], 2: ['[1, 2]'] }],
    ['Free [1,2;3].', { 1: ['[1,2;3]'], 2: ['[1,2;3]'], 3: ['[1,2;3]'] }],
    ['Free [1][3].', { 1: ['[1]'], 3: ['[3]'] }],
    ['Free [1] [3], and so [1].', { 1: ['[1]', '[1]'], 3: ['[3]'] }],
    ['Free [ 2 ].', { 2: ['[ 2 ]'] }],
    ['Free [1-3].', { 1: ['[1-3]'], 2: ['[1-3]'], 3: ['[1-3]'] }],
    ['Free 【1】 and 【2，3】', { 1: ['【1】'], 2: ['【2，3】'], 3: ['【2，3】'] }],
    ['退货免费[1]。', { 1: ['[1]'] }],
    ['Free.[2]', { 2: ['[2]'] }],
    ['**Free**[2], "free"[1], up to 10%[3]', { 1: ['[1]'], 2: ['[2]'], 3: ['[3]'] }],
    ['It is (mostly)[1] free.', { 1: ['[1]'] }],
    ['| Free [1] | Paid [2] |', { 1: ['[1]'], 2: ['[2]'] }],
    ['[1] says so.', { 1: ['[1]'] }],
  ])('maps %j', (answer, expected) => {
    expect(cited(answer)).toEqual(expected);
    expect(citations(answer, documents)).toMatchObject({ text: answer, dangling: [] });
  });

  it('gives documents in the order of first mention', () => {
    const { citations: found } = citations('b [2], a [1], b [2]', documents);
    expect(found.map(({ index }) => index)).toEqual([2, 1]);
    expect(found[0]?.spans).toEqual([
      { start: 2, end: 5 },
      { start: 16, end: 19 },
    ]);
  });

  it.each([
    ['Free [9].', 'Free.', [9]],
    ['Free [9] and quick.', 'Free and quick.', [9]],
    ['Free [9]', 'Free', [9]],
    ['Free  [9]\nNext', 'Free\nNext', [9]],
    ['[9] Free.', 'Free.', [9]],
    ['Free [0].', 'Free.', [0]],
    ['Free [1, 9].', 'Free [1].', [9]],
    ['Free 【9，1】.', 'Free 【1】.', [9]],
    ['Free [1][9].', 'Free [1].', [9]],
    ['Free [9][1].', 'Free [1].', [9]],
    ['Free [9] [8], [7].', 'Free,.', [9, 8, 7]],
    ['(see [9])', '(see)', [9]],
    ['Free [9] (really) [8]', 'Free (really)', [9, 8]],
  ])('takes out of %j what points nowhere', (answer, text, dangling) => {
    expect(citations(answer, documents)).toMatchObject({ text, dangling });
    expect(Object.values(cited(answer)).every((marks) => marks.every((mark) => /^[[【]1[\]】]$/.test(mark)))).toBe(
      true,
    );
  });

  it.each([
    ['a fenced block', '```js\nconst x = [1];\ny[9];\n```'],
    ['a block with tildes', '~~~\n[9]\n```\n[9]\n~~~'],
    ['a block in a quote', '> ```\n> [9]\n> ```'],
    ['a block in a list', '- ```\n  [9]\n  ```'],
    ['a block that is not closed', '```\n[9]\n\n[8]'],
    ['code in a line', 'Write `[9]` or ``a ` [8]``.'],
    ['a link', '[1](https://example.org) and [9](other.md "title")'],
    ['an image', '![9](picture.png)'],
    ['the address of a link', '[here](https://example.org/?q=[9]) and <https://example.org/[9]>'],
    ['a reference to a link', '[text][9]'],
    ['the definition of a link', '[9]: https://example.org'],
    ['an index', 'a[1], items[9], rows[0][9], f(x)[9], this.list_[9]'],
    ['years', 'In [2024] it was [1999].'],
    ['intervals', 'in [0, 1], of [10-20] or [-1]'],
    ['a footnote', 'Free [^9].'],
    ['an escaped bracket', 'Free \\[9].'],
    ['other brackets', '[x] [ ] [] [a1] [1a] [[link]] [1.5] 【注】'],
  ])('leaves %s alone', (_name, answer) => {
    expect(citations(answer, documents)).toEqual({ text: answer, citations: [], dangling: [] });
  });

  it('goes on behind code', () => {
    const answer = 'A [1]\n```\n[2]\n```\nB `[2]` [3] ``` c [2]';
    expect(Object.keys(cited(answer))).toEqual(['1', '2', '3']);
    expect(cited(answer)[2]).toHaveLength(1);
  });

  it('numbers the documents as the model was shown them: those without text have no number', () => {
    const shown = [document({ id: 'blank', text: ' ' }), ...documents];
    expect(citations('x [1]', shown).citations[0]?.document.id).toBe('one');
  });

  it('knows numbers of four digits when there are so many documents', () => {
    const many = Array.from({ length: 1200 }, (_, i) => document({ id: `${i}`, text: `${i}` }));
    expect(citations('x [1100]', many).citations[0]?.document.id).toBe('1099');
  });

  it('takes the documents of a response, from its metadata or context', () => {
    const answer = chatResponse([{ output: assistantMessage('x [2] [9]') }], { [RAG_DOCUMENT_CONTEXT]: documents });
    const expected = citations('x [2] [9]', documents);
    expect(citations(answer)).toEqual(expected);
    const context = { [RAG_DOCUMENT_CONTEXT]: documents };
    const bare = chatResponse([{ output: assistantMessage('x [2] [9]') }]);
    expect(citations({ chatResponse: bare, context, turn: [] })).toEqual(expected);
    expect(citations({ chatResponse: answer, context: {}, turn: [] })).toEqual(expected);
    expect(citations({ context, turn: [] })).toEqual({ text: '', citations: [], dangling: [] });
  });

  it('asks for documents when the answer does not carry them', () => {
    const bare = chatResponse([{ output: assistantMessage('x [1]') }]);
    for (const answer of ['x [1]', bare, { chatResponse: bare, context: {}, turn: [] }]) {
      expect(() => citations(answer)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: 'documents' }),
      );
    }
    expect(citations('x [1]', [])).toEqual({ text: 'x', citations: [], dangling: [1] });
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '[1]',
      '[2, 9]',
      '[9]',
      '【3】',
      ' ',
      '\n',
      'a',
      'word',
      '`',
      '```',
      '~~~',
      '(',
      ')',
      ']',
      '[',
      '\\',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );

  it('spans always cut marks out of the text that is given, and nothing that dangles is left outside of code', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const answer = pieces.join('');
        const result = citations(answer, documents);
        for (const { index, document: of, spans } of result.citations) {
          expect(of).toBe(documents[index - 1]);
          expect(spans.length).toBeGreaterThan(0);
          for (const { start, end } of spans) {
            expect(result.text.slice(start, end)).toMatch(/^(?:\[[^[\]]*\]|【[^【】]*】)$/);
            expect(result.text.slice(start, end)).toContain(String(index));
          }
        }
        if (result.dangling.length === 0) expect(result.text).toBe(answer);
        expect(answer.length).toBeGreaterThanOrEqual(result.text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to the text, whatever it is made of', () => {
    for (const part of ['[', '`', '``` ', '](', '[1', '[9] ', '<a:', 'f(', '[1,', '``\n`', '\\`']) {
      const started = performance.now();
      citations(part.repeat(20_000), documents);
      expect(performance.now() - started, part).toBeLessThan(2_000);
    }
  });
});

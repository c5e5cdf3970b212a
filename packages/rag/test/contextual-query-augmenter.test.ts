import { document, media, PromptTemplate, userMessage } from '@vernal/core';
import { ContextualQueryAugmenter, query } from '@vernal/rag';
import { describe, expect, it } from 'vitest';

const faq = document({ id: 'f', text: 'Returns are free.', metadata: { source: 'faq.md' } });
const asked = query('Are returns {free}?', { history: [userMessage('Hi')], context: { tenant: 'acme' } });

describe('ContextualQueryAugmenter', () => {
  it('puts the documents before the question, each in its marks, and keeps history and context', () => {
    const augmented = new ContextualQueryAugmenter().augment(asked, [faq]);
    expect(augmented).toMatchObject({ history: asked.history, context: asked.context });
    expect(augmented.text).toContain('<document index="1" source="faq.md">\nReturns are free.\n</document>');
    expect(augmented.text.endsWith('\n\nQuestion: Are returns {free}?')).toBe(true);
    expect(augmented.text).not.toContain('[1]');
  });

  it('asks for the numbers of the sources when citations are wanted, with a template of one’s own, too', () => {
    expect(new ContextualQueryAugmenter({ citations: true }).augment(asked, [faq]).text).toContain('[1]');
    const promptTemplate = new PromptTemplate('{context}\n== {query}');
    const own = new ContextualQueryAugmenter({ citations: true, promptTemplate }).augment(asked, [faq]).text;
    expect(own).toMatch(/^Behind each statement .*\[1\].*\n\n<documents>[\s\S]*== Are returns \{free\}\?$/);
    const plain = new ContextualQueryAugmenter({ promptTemplate }).augment(asked, [faq]).text;
    expect(plain.startsWith('<documents>')).toBe(true);
  });

  it.each([
    ['no documents', []],
    [
      'documents without text',
      [document({ id: 'x', text: ' ' }), document({ media: media('image/png', Uint8Array.of(1)) })],
    ],
  ])('asks to decline for %s, and shows the question all the same', (_name, documents) => {
    const { text } = new ContextualQueryAugmenter().augment(asked, documents);
    expect(text).toContain('cannot answer');
    expect(text).toContain('Are returns {free}?');
    expect(text).not.toContain('<document');
    const citing = new ContextualQueryAugmenter({
      citations: true,
      promptTemplate: new PromptTemplate('{query}{context}'),
    });
    expect(citing.augment(asked, documents).text).toBe(text);
  });

  it('leaves the query as it is without documents, when that is allowed', () => {
    expect(new ContextualQueryAugmenter({ allowEmptyContext: true }).augment(asked, [])).toBe(asked);
  });

  it('takes templates of one’s own, and needs no placeholder in the one for no documents', () => {
    const augmenter = new ContextualQueryAugmenter({
      promptTemplate: new PromptTemplate('Q={query} C={context} L={language}').with({ language: 'nl' }),
      emptyContextPromptTemplate: new PromptTemplate('Say hello.'),
      documentFormatter: (documents) => documents.map(({ id }) => id).join('+'),
    });
    expect(augmenter.augment(asked, [faq, { ...faq, id: 'g' }]).text).toBe('Q=Are returns {free}? C=f+g L=nl');
    expect(augmenter.augment(asked, []).text).toBe('Say hello.');
  });

  it('refuses a template without its placeholders, and a formatter that is none', () => {
    expect(
      () => new ContextualQueryAugmenter({ promptTemplate: new PromptTemplate('the query and the {context}') }),
    ).toThrow(expect.objectContaining({ code: 'template', missing: ['query'] }));
    expect(() => new ContextualQueryAugmenter({ documentFormatter: 'x' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'documentFormatter' }),
    );
  });
});

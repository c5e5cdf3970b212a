import { document } from '@vernal/core';
import {
  ConcatenationDocumentJoiner,
  citations,
  compress,
  MultiQueryExpander,
  query,
  RewriteQueryTransformer,
  RoutingDocumentRetriever,
  renderDocuments,
} from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

/** What takes time by the square of its length takes minutes for so many. */
const MANY = 130_000;
const one = [document({ id: 'a', text: 'One.' })];

describe('time grows with the text and not with its square', () => {
  it('for a document with something like a mark and white space without end', () => {
    const text = `<${' '.repeat(MANY)}x <\u200b${'\u200b'.repeat(MANY)}`;
    expect(renderDocuments([document({ id: 'a', text })])).toContain(text);
  });

  it('for a question like that', async () => {
    const model = new ScriptedChatModel(['Better.']);
    const text = `<${' '.repeat(MANY)}x`;
    await expect(new RewriteQueryTransformer({ model }).transform(query(text))).resolves.toMatchObject({
      text: 'Better.',
    });
    expect(model.prompts[0]?.userMessage.text).toContain(text);
  });

  it.each([
    ['marks that name a document', '[1]'.repeat(MANY), [], '[1]'.repeat(MANY)],
    ['marks that name none', 'a [7]'.repeat(MANY), [7], 'a '.repeat(MANY).trimEnd()],
    ['white space in something like a mark', `[1${' '.repeat(MANY)}2]`, [], `[1${' '.repeat(MANY)}2]`],
    ['spaces and marks that name none', `a${' [7]'.repeat(MANY)} b`, [7], 'a b'],
  ])('for an answer of %s', (_, answer, dangling, text) => {
    const cited = citations(answer, one);
    expect(cited.dangling).toEqual(dangling);
    expect(cited.text === text).toBe(true);
  });

  it('for a choice of routes that is nothing but quotes', async () => {
    const retriever = new RoutingDocumentRetriever({
      routes: [{ name: 'a', description: 'all', retriever: () => one }],
      route: new ScriptedChatModel([`${'"'.repeat(MANY)}x`]),
    });
    await expect(retriever.retrieve(query('q'))).resolves.toHaveLength(1);
  });
});

describe('no length ends in a stack or a pattern that is too large', () => {
  it('of a list mark in front of a list mark', async () => {
    const model = new ScriptedChatModel([`${'- '.repeat(MANY)}other words`]);
    const queries = await new MultiQueryExpander({ model }).expand(query('q'));
    expect(queries.map(({ text }) => text)).toEqual(['q', 'other words']);
  });

  it.each(['`', '~'])('of a fence of %s', async (tick) => {
    const model = new ScriptedChatModel([tick.repeat(MANY)]);
    await expect(compress({ model }).process(query('q'), one)).resolves.toEqual(one);
  });

  it('of the lists that are joined', () => {
    const documents = Array.from({ length: MANY }, (_, i) => document({ id: `${i}`, text: 'x', score: i }));
    const found = { query: query('q'), retriever: 0, documents };
    expect(new ConcatenationDocumentJoiner().join([found, found])).toHaveLength(MANY);
  });
});

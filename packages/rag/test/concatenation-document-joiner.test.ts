import { document } from '@vernal/core';
import type { RetrievedDocuments } from '@vernal/rag';
import { ConcatenationDocumentJoiner, query } from '@vernal/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

function found(retriever: number, ...scored: readonly (readonly [string, number?])[]): RetrievedDocuments {
  const documents = scored.map(([id, score]) => document({ id, text: `${id} of ${retriever}`, score }));
  return { query: query('q'), retriever, documents };
}

const join = (...results: RetrievedDocuments[]) => new ConcatenationDocumentJoiner().join(results);
const ids = (...results: RetrievedDocuments[]) => join(...results).map(({ id }) => id);

describe('ConcatenationDocumentJoiner', () => {
  it('puts the best score first, those without one last, and leaves ties as they were found', () => {
    expect(ids(found(0, ['none'], ['a', 0.5], ['b', 0.5]), found(0, ['c', 0.9], ['d', 0.5], ['zero', 0]))).toEqual([
      'c',
      'a',
      'b',
      'd',
      'zero',
      'none',
    ]);
  });

  it('keeps the first of equal ids, unchanged', () => {
    const first = found(0, ['a', 0.2]);
    const joined = join(first, found(0, ['a', 0.9], ['b', 0.5]));
    expect(joined.map(({ id, score }) => [id, score])).toEqual([
      ['b', 0.5],
      ['a', 0.2],
    ]);
    expect(joined[1]).toBe(first.documents[0]);
  });

  it('never compares scores of two retrievers: their lists are interleaved', () => {
    expect(ids(found(0, ['a', 0.3], ['b', 0.9]), found(1, ['x', 12], ['y', 70], ['z', 1]))).toEqual([
      'b',
      'y',
      'a',
      'x',
      'z',
    ]);
  });

  it('asks the retrievers by their place, whatever the order of the entries', () => {
    expect(ids(found(1, ['x', 12]), found(0, ['a', 0.3]))).toEqual(['a', 'x']);
  });

  it('puts what two retrievers have found at the better of its places, and keeps the copy that came first', () => {
    const joined = join(found(0, ['a', 0.9], ['b', 0.8], ['both', 0.7]), found(1, ['both', 40]));
    expect(joined.map(({ id }) => id)).toEqual(['a', 'both', 'b']);
    expect(joined[1]?.text).toBe('both of 0');
    expect(joined[1]?.score).toBe(0.7);
  });

  it('takes a score that is no number for none', () => {
    const [{ documents }] = [found(0, ['a', 0.1])];
    const broken = {
      ...found(0),
      documents: [{ id: 'nan', text: 'x', metadata: {}, score: Number.NaN }, ...documents],
    };
    expect(ids(broken)).toEqual(['a', 'nan']);
  });

  it('makes nothing of nothing', () => {
    expect(join()).toEqual([]);
    expect(join(found(0))).toEqual([]);
  });

  it('gives every id once, and the places of one retriever do not change with the scale of another', () => {
    const list = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer({ min: -9, max: 9 }))),
    );
    fc.assert(
      fc.property(list, list, (one, other) => {
        const of = (retriever: number, entries: typeof one, factor: number) =>
          found(
            retriever,
            ...entries.map(([id, score]) => (score === null ? [id] : [id, score * factor]) as [string, number?]),
          );
        const joined = ids(of(0, one, 1), of(1, other, 1));
        expect([...joined].sort()).toEqual([...new Set([...one, ...other].map(([id]) => id))].sort());
        expect(ids(of(0, one, 1), of(1, other, 1000))).toEqual(joined);
      }),
    );
  });
});

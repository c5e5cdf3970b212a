import type { Document, DocumentTransformer } from '@vernal/core';
import { document } from '@vernal/core';
import { check, checkEqual, rejection, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';

/** Stable: a report of today compares with one of last year. */
export type TransformerCaseId = `transformer.${string}`;

export interface TransformerStage {
  readonly transformer: DocumentTransformer;
  readonly samples: readonly (readonly Document[])[];
}

/** In unicode mode a pair is one character, so this finds halves only. */
const LONE_SURROGATE = /\p{Surrogate}/u;

async function all(documents: AsyncIterable<Document>): Promise<Document[]> {
  const found: Document[] = [];
  for await (const one of documents) found.push(one);
  return found;
}

/** White space may be trimmed at the seams. */
function characters(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

/** Every character of `wanted` is in the pieces, in order; what two pieces share at their seam counts once. */
function covers(pieces: readonly string[], wanted: string): boolean {
  let covered = 0;
  for (const piece of pieces) {
    if (piece === '') continue;
    // The latest place that leaves no gap: in a text that repeats itself there are many.
    const at = wanted.lastIndexOf(piece, covered);
    if (at < 0) return false;
    covered = Math.max(covered, at + piece.length);
  }
  return covered === wanted.length;
}

const few = (): Document[] =>
  [1, 2, 3].map((page) => document({ text: `Page ${page} has words.`, metadata: { page } }));

export const transformerCases: readonly SuiteCase<TransformerCaseId, TransformerStage>[] = [
  {
    id: 'transformer.text',
    title: 'no text is lost, none is out of order',
    async run({ transformer, samples }) {
      for (const sample of samples) {
        for (const source of sample) {
          const pieces = (await all(transformer.transform([source]))).map((one) => characters(one.text ?? ''));
          check(covers(pieces, characters(source.text ?? '')), `the pieces of '${source.id}' must give its text`);
        }
      }
    },
  },
  {
    id: 'transformer.characters',
    title: 'no character is cut in two',
    async run({ transformer, samples }) {
      for (const sample of samples) {
        for (const { text = '' } of await all(transformer.transform(sample))) {
          check(!LONE_SURROGATE.test(text), 'a piece must not begin or end inside a surrogate pair');
        }
      }
    },
  },
  {
    id: 'transformer.order',
    title: 'documents come in the order of their sources, with their metadata',
    async run({ transformer, samples }) {
      for (const sample of samples) {
        const pages = (await all(transformer.transform(sample))).map((one) => one.metadata['page']);
        checkEqual(
          pages,
          pages.toSorted((a, b) => Number(a) - Number(b)),
          'pages',
        );
        const wanted = sample.filter((one) => one.text?.trim() !== '').map((one) => one.metadata['page']);
        checkEqual(
          [...new Set(pages)].filter((page) => wanted.includes(page ?? null)),
          wanted,
          'pages that are there',
        );
      }
    },
  },
  {
    id: 'transformer.ids',
    title: 'ids are different and not blank',
    async run({ transformer, samples }) {
      for (const sample of samples) {
        const ids = (await all(transformer.transform(sample))).map((one) => one.id);
        checkEqual(new Set(ids).size, ids.length, 'different ids');
        check(
          ids.every((id) => id.trim() !== ''),
          'ids must not be blank',
        );
      }
    },
  },
  {
    id: 'transformer.source-kept',
    title: 'the documents that are given are not changed',
    async run({ transformer, samples }) {
      for (const sample of samples) {
        const before = JSON.stringify(sample);
        await all(transformer.transform(sample));
        checkEqual(JSON.stringify(sample), before, 'the documents');
      }
    },
  },
  {
    id: 'transformer.sources',
    title: 'an async iterable is as good as a list, and none is as good as some',
    async run({ transformer }) {
      async function* source(): AsyncGenerator<Document> {
        yield* few();
      }
      const texts = async (documents: AsyncIterable<Document>): Promise<(string | undefined)[]> =>
        (await all(documents)).map((one) => one.text);
      checkEqual(await texts(transformer.transform(source())), await texts(transformer.transform(few())), 'texts');
      checkEqual(await all(transformer.transform([])), [], 'documents of no documents');
    },
  },
  {
    id: 'transformer.left',
    title: 'leaving the loop closes the source',
    async run({ transformer }) {
      let closed = false;
      async function* source(): AsyncGenerator<Document> {
        try {
          for (let page = 0; page < 10_000; page++) yield document({ text: `Page ${page}`, metadata: { page } });
        } finally {
          closed = true;
        }
      }
      for await (const _ of transformer.transform(source())) break;
      check(closed, 'the source must be closed');
    },
  },
  {
    id: 'transformer.source-error',
    title: 'an error of the source comes through',
    async run({ transformer }) {
      const lost = new Error('the source is gone');
      async function* source(): AsyncGenerator<Document> {
        yield* few();
        throw lost;
      }
      const error = await rejection(() => all(transformer.transform(source())), 'a source that fails');
      check(error === lost || (error instanceof Error && error.cause === lost), 'it must be the error of the source');
    },
  },
  {
    id: 'transformer.abort',
    title: "a signal that has fired already gives 'aborted'",
    async run({ transformer }) {
      await rejectsWith(
        () => all(transformer.transform(few(), { signal: AbortSignal.abort() })),
        'aborted',
        'transform',
      );
    },
  },
];

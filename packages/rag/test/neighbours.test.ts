import type { Document } from '@vernal/core';
import { document, media, TextSplitter } from '@vernal/core';
import type { ChunkLookup, ChunkRequest } from '@vernal/rag';
import { neighbours, query, RetrievalAugmentationAdvisor, VECTOR_STORE_FILTER_EXPRESSION } from '@vernal/rag';
import { hashingEmbeddingModel, ScriptedChatModel } from '@vernal/testing';
import type { SearchRequest } from '@vernal/vector-store';
import { filter, SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf } from './answering.js';

/** Pieces of `size` characters, of which each repeats the last `overlap` of the one before. */
class WindowSplitter extends TextSplitter {
  readonly #size: number;
  readonly #step: number;

  constructor(size: number, overlap = 0) {
    super();
    this.#size = size;
    this.#step = size - overlap;
  }

  protected splitText(text: string) {
    const starts = Array.from({ length: Math.ceil(text.length / this.#step) }, (_, at) => at * this.#step);
    return starts.map((start) => ({ start, end: Math.min(text.length, start + this.#size) }));
  }
}

async function chunksOf(parent: Document, size: number, overlap = 0): Promise<Document[]> {
  const chunks: Document[] = [];
  for await (const chunk of new WindowSplitter(size, overlap).transform([parent])) chunks.push(chunk);
  return chunks;
}

/** Those that were asked for, out of all; keeps what it was asked. */
function lookupIn(all: readonly Document[]): { readonly source: ChunkLookup; readonly asked: ChunkRequest[][] } {
  const asked: ChunkRequest[][] = [];
  const source: ChunkLookup = (requests) => {
    asked.push([...requests]);
    return all.filter(({ metadata }) =>
      requests.some(
        ({ parentId, indexes }) =>
          metadata['parent_document_id'] === parentId && indexes.includes(Number(metadata['chunk_index'])),
      ),
    );
  };
  return { source, asked };
}

function withoutOffsets(chunk: Document): Document {
  const { chunk_start: _start, chunk_end: _end, ...metadata } = chunk.metadata;
  return { ...chunk, metadata };
}

const q = query('q');
const alphabet = document({ id: 'abc', text: 'abcdefghijklmnopqrstuvwxyz', metadata: { source: 'abc.md' } });
const digits = document({ id: '123', text: '0123456789' });
const texts = (found: readonly Document[]): (string | undefined)[] => found.map(({ text }) => text);
const hit = (chunk: Document | undefined, score = 0.5): Document => ({ ...document('missing'), ...chunk, score });

describe('neighbours', () => {
  it('gives a chunk those around it, as one document with its own id, metadata and score', async () => {
    const chunks = await chunksOf(alphabet, 4);
    const { source, asked } = lookupIn(chunks);
    const found = await neighbours({ source }).process(q, [hit(chunks[2], 0.9)]);
    expect(found).toEqual([
      {
        ...chunks[2],
        text: 'efghijklmnop',
        score: 0.9,
        metadata: { ...chunks[2]?.metadata, chunk_start: 4, chunk_end: 16 },
      },
    ]);
    expect(asked).toEqual([[{ parentId: 'abc', indexes: [1, 3] }]]);
    expect(texts(await neighbours({ source, before: 0, after: 2 }).process(q, [hit(chunks[2])]))).toEqual([
      'ijklmnopqrst',
    ]);
  });

  it('asks for no chunk that cannot be, and for nothing where nothing is missing', async () => {
    const chunks = await chunksOf(alphabet, 10);
    const { source, asked } = lookupIn(chunks);
    expect(texts(await neighbours({ source, before: 5, after: 5 }).process(q, [hit(chunks[0])]))).toEqual([
      alphabet.text,
    ]);
    expect(asked).toEqual([[{ parentId: 'abc', indexes: [1, 2] }]]);
    expect(
      texts(
        await neighbours({ source }).process(
          q,
          [chunks[1], chunks[0], chunks[2]].map((c) => hit(c)),
        ),
      ),
    ).toEqual([alphabet.text]);
    expect(texts(await neighbours({ source, before: 0, after: 0 }).process(q, [hit(chunks[1])]))).toEqual([
      'klmnopqrst',
    ]);
    expect(await neighbours({ source }).process(q, [])).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('makes one document of chunks that meet, in the place of the best, and keeps apart those that do not', async () => {
    const letters = await chunksOf(alphabet, 2);
    const numbers = await chunksOf(digits, 2);
    const { source, asked } = lookupIn([...letters, ...numbers]);
    const given = [hit(letters[5], 0.9), hit(numbers[1], 0.8), hit(letters[10], 0.7), hit(letters[3], 0.6)];
    const found = await neighbours({ source }).process(q, given);
    expect(found.map(({ text, score }) => [text, score])).toEqual([
      ['efghijklmn', 0.9],
      ['012345', 0.8],
      ['stuvwx', 0.7],
    ]);
    expect(asked).toEqual([
      [
        { parentId: 'abc', indexes: [2, 4, 6, 9, 11] },
        { parentId: '123', indexes: [0, 2] },
      ],
    ]);
  });

  it('leaves alone what is no chunk: without parent or place, or with nonsense for them; and copies of a chunk', async () => {
    const [chunk] = await chunksOf(alphabet, 30);
    const place = { parent_document_id: 'abc', chunk_index: 0 };
    const given = [
      document('no chunk'),
      document({ text: 'no place', metadata: { parent_document_id: 'abc' } }),
      document({ text: 'no parent', metadata: { chunk_index: 0 } }),
      document({ text: 'negative', metadata: { ...place, chunk_index: -1 } }),
      document({ text: 'half', metadata: { ...place, chunk_index: 0.5 } }),
      document({ text: 'text', metadata: { ...place, chunk_index: '0' } }),
      document({ text: 'list', metadata: { ...place, parent_document_id: ['abc'] } }),
      document({ media: media('image/png', new Uint8Array([1])), metadata: place }),
      hit(chunk),
      { ...hit(chunk), id: 'copy' },
    ];
    const source: ChunkLookup = () => expect.unreachable('nothing is missing');
    const found = await neighbours({ source }).process(q, given);
    expect(found).toHaveLength(given.length);
    for (const [at, one] of found.entries()) expect(one).toBe(given[at]);
  });

  it('shows what chunks overlap once, with offsets and without', async () => {
    const chunks = await chunksOf(alphabet, 16, 13);
    // The last ones are in the one before them as a whole, and too short to tell.
    const long = chunks.filter(({ text = '' }) => text.length === 16).map(withoutOffsets);
    for (const all of [chunks, long]) {
      const { source } = lookupIn(all);
      const [found] = await neighbours({ source, before: 9, after: 9 }).process(q, [hit(all[2])]);
      expect(found?.text).toBe(alphabet.text?.slice(0, all === long ? 25 : 26));
    }
    // Without offsets, a short overlap may be chance.
    const short = (await chunksOf(alphabet, 8, 3)).map(withoutOffsets);
    const [found] = await neighbours({ source: lookupIn(short).source }).process(q, [hit(short[1])]);
    expect(found?.text).toBe('abcdefgh\nfghijklm\nklmnopqr');
    expect(found?.metadata).toEqual(short[1]?.metadata);
  });

  it('puts a line end where something lies between two chunks that neither has', async () => {
    const parent = document({ id: 'p', text: 'One two.   Three four.' });
    const chunk = (index: number, start: number, end: number) =>
      document({
        id: `${index}`,
        text: parent.text?.slice(start, end) ?? '',
        metadata: { parent_document_id: 'p', chunk_index: index, chunk_start: start, chunk_end: end },
      });
    const given = [chunk(0, 0, 8), chunk(1, 11, 22)];
    const { source } = lookupIn(given);
    const [found] = await neighbours({ source }).process(q, [hit(given[0])]);
    expect(found?.text).toBe('One two.\nThree four.');
    expect(found?.metadata).toMatchObject({ chunk_start: 0, chunk_end: 22 });
  });

  it('gives back the text of the parent, for any text and any splitting', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'ab', '狐', '👩‍🚀'), { minLength: 1, maxLength: 60 });
    const sizes = fc.integer({ min: 1, max: 20 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
    await fc.assert(
      fc.asyncProperty(text, sizes, fc.nat(60), fc.nat(5), async (parts, [size, overlap], at, around) => {
        const parent = document({ id: 'p', text: parts.join('') });
        const chunks = await chunksOf(parent, size, overlap);
        const place = at % chunks.length;
        const { source } = lookupIn(chunks);
        const [found] = await neighbours({ source, before: around, after: around }).process(q, [hit(chunks[place])]);
        const start = Number(chunks[Math.max(0, place - around)]?.metadata['chunk_start']);
        const last = chunks[Math.min(chunks.length - 1, place + around)];
        const end = Math.max(...chunks.slice(0, chunks.indexOf(last as Document) + 1).map(endOf));
        expect(found?.text).toBe(parent.text?.slice(start, end));
        expect(found?.metadata).toMatchObject({ chunk_start: start, chunk_end: end });
      }),
      { numRuns: 300 },
    );
  });

  it('loses no text to offsets that lie', async () => {
    const place = (index: number, start: number, end: number) => ({
      parent_document_id: 'p',
      chunk_index: index,
      chunk_start: start,
      chunk_end: end,
    });
    const given = [
      document({ text: 'Returns are free for thirty days.', metadata: place(0, 0, 33) }),
      // Is said to lie in the first, and does not.
      document({ text: 'After that they cost.', metadata: place(1, 5, 26) }),
      document({ text: 'No end', metadata: place(2, -10, Number.MAX_SAFE_INTEGER) }),
    ];
    const [found] = await neighbours({ source: lookupIn(given).source, after: 2 }).process(q, [hit(given[0])]);
    expect(found?.text).toBe('Returns are free for thirty days.\nAfter that they cost.\nNo end');
  });

  it('takes from a lookup what was asked for and nothing else', async () => {
    const chunks = await chunksOf(alphabet, 4);
    const secret = document({
      text: 'SECRET',
      metadata: { parent_document_id: 'other', chunk_index: 1, chunk_start: 0, chunk_end: 6 },
    });
    const found = await neighbours({
      source: () => [secret, ...chunks, { ...secret, metadata: {} }, document('SECRET'), ...chunks],
    }).process(q, [hit(chunks[2])]);
    expect(texts(found)).toEqual(['efghijklmnop']);
  });

  it('does without neighbours that nobody has', async () => {
    const chunks = await chunksOf(alphabet, 4);
    const [given] = [hit(chunks[2])];
    expect(await neighbours({ source: () => [] }).process(q, [given])).toEqual([given]);
    const { source } = lookupIn(chunks.filter((_, at) => at !== 3));
    expect(texts(await neighbours({ source, after: 2 }).process(q, [given]))).toEqual(['efghijkl']);
  });

  it('fails as its source does, and ends with the signal even if the source does not', async () => {
    const [first] = await chunksOf(alphabet, 4);
    const given = [hit(first)];
    const failing: ChunkLookup = () => {
      throw new Error('down');
    };
    await expect(neighbours({ source: failing }).process(q, given)).rejects.toThrow('down');
    await expect(neighbours({ source: (() => undefined) as never }).process(q, given)).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'source',
    });
    const controller = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    const hanging: ChunkLookup = (_requests, _query, context) => {
      seen.push(context?.signal);
      controller.abort();
      return new Promise(() => {});
    };
    await expect(
      neighbours({ source: hanging }).process(q, given, { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toEqual([controller.signal]);
  });

  it('leaves the documents as they are in a turn whose lookup fails', async () => {
    const [first] = await chunksOf(alphabet, 4);
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: () => [hit(first)],
      documentPostProcessors: [neighbours({ source: () => Promise.reject(new Error('down')) })],
    });
    const model = new ScriptedChatModel(['ok']);
    await clientOf(model, advisor).prompt('q').call().content();
    expect(model.prompts[0]?.userMessage.text).toContain('\nabcd\n');
  });

  it('asks a store once, for the chunks that are missing, with the required filter and no filter of the request', async () => {
    const requests: SearchRequest[] = [];
    const source = {
      similaritySearch: async (request: string | SearchRequest) => {
        if (typeof request === 'object') requests.push(request);
        return [];
      },
    };
    const [letters, numbers] = [await chunksOf(alphabet, 4), await chunksOf(digits, 4)];
    const requiredFilter = filter.eq('tenant', 'acme');
    const asked = query('why', { context: { [VECTOR_STORE_FILTER_EXPRESSION]: "tenant == 'other'" } });
    await neighbours({ source, requiredFilter }).process(asked, [hit(letters[1]), hit(numbers[0])]);
    expect(requests).toEqual([
      {
        query: 'why',
        topK: 3,
        filterExpression: filter.and(
          requiredFilter,
          filter.or(
            filter.and(filter.eq('parent_document_id', 'abc'), filter.in('chunk_index', [0, 2])),
            filter.and(filter.eq('parent_document_id', '123'), filter.in('chunk_index', [1])),
          ),
        ),
      },
    ]);
  });

  it('finds in a store the chunks of the tenant alone, whatever a request says and a document claims', async () => {
    const store = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    const own = await chunksOf(document({ id: 'o\'r"1', text: alphabet.text ?? '', metadata: { tenant: 'acme' } }), 4);
    const forged = own.map((chunk) => ({
      ...chunk,
      id: `forged ${chunk.id}`,
      text: 'EVIL',
      metadata: { ...chunk.metadata, tenant: 'other' },
    }));
    await store.add([...own.filter((_, at) => at !== 1), ...forged]);
    const open = { [VECTOR_STORE_FILTER_EXPRESSION]: "tenant == 'other' OR tenant == 'acme'" };
    const guarded = neighbours({ source: store, before: 2, requiredFilter: "tenant == 'acme'" });
    expect(texts(await guarded.process(query('EVIL', { context: open }), [hit(own[2])]))).toEqual(['ijklmnop']);
    const forgetful = neighbours({ source: store, requiredFilter: () => undefined });
    await expect(forgetful.process(q, [hit(own[2])])).rejects.toMatchObject({ code: 'filter_invalid' });
  });

  it('ends the turn for a required filter that gives none, for it says who may see what', async () => {
    const [first] = await chunksOf(alphabet, 4);
    const source = { similaritySearch: async () => expect.unreachable('nothing may be searched') };
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: () => [hit(first)],
      documentPostProcessors: [neighbours({ source, requiredFilter: () => undefined })],
    });
    const asked = clientOf(new ScriptedChatModel([]), advisor).prompt('q').call().content();
    await expect(asked).rejects.toMatchObject({ code: 'filter_invalid' });
  });

  it('refuses what cannot work', () => {
    const refused = (options: object, code = 'invalid_argument') =>
      expect(() => neighbours({ source: () => [], ...options })).toThrow(expect.objectContaining({ code }));
    refused({ source: undefined });
    refused({ source: {} });
    refused({ before: -1 });
    refused({ after: 1.5 });
    refused({ after: 101 });
    refused({ source: { similaritySearch: async () => [] }, requiredFilter: 'tenant =' }, 'filter_parse');
  });
});

function endOf({ metadata }: Document): number {
  return Number(metadata['chunk_end']);
}

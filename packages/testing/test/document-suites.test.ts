import type { CallContext, Document, DocumentReader, Documents, DocumentTransformer, Resource } from '@vernal/core';
import { bytesResource, decodeText, document, VernalError } from '@vernal/core';
import { readBytes } from '@vernal/core/adapter';
import { describeReader, describeTransformer, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { CollectingRunner } from './collecting-runner.js';

const runner = vitestRunner(vitest);

function checkSignal(options: CallContext | undefined): void {
  if (options?.signal?.aborted) throw new VernalError('aborted', { code: 'aborted', subject: 'signal' });
}

/** One document a paragraph. */
class ParagraphReader implements DocumentReader {
  readonly resource: Resource;
  readonly maxFileBytes: number;
  constructor(resource: Resource, maxFileBytes = 1_000_000) {
    this.resource = resource;
    this.maxFileBytes = maxFileBytes;
  }
  async read(options?: CallContext): Promise<Document[]> {
    const found: Document[] = [];
    for await (const one of this.stream(options)) found.push(one);
    return found;
  }
  async *stream(options?: CallContext): AsyncGenerator<Document> {
    checkSignal(options);
    const { text } = decodeText(await readBytes(this.resource, this.maxFileBytes, options), { source: this.resource });
    if (text.includes('\u0000')) throw new VernalError('The text holds U+0000', { code: 'resource', subject: 'text' });
    for (const paragraph of text.split('\n\n'))
      yield document(paragraph, { source: this.resource.filename ?? 'unknown' });
  }
}

const samples = [
  {
    name: 'two paragraphs',
    resource: bytesResource('first\n\nsecond €', { filename: 'a.txt' }),
    text: ['first', 'second €'],
    documents: 2,
    metadata: { source: 'a.txt' },
  },
  { name: 'one', resource: bytesResource('alone'), text: ['alone'] },
];
const hostile = [
  { name: 'empty', resource: bytesResource('') },
  { name: 'binary', resource: bytesResource(new Uint8Array([0, 255, 0])) },
];

describeReader('ParagraphReader', (resource) => ({ subject: new ParagraphReader(resource) }), {
  runner,
  samples,
  hostile,
  limited: (resource) => ({ subject: new ParagraphReader(resource, 9_000) }),
});

describe('a broken reader fails the case that is about it', () => {
  it.each<[string, (reader: ParagraphReader) => Partial<DocumentReader>, readonly string[]]>([
    [
      'reversed',
      (right) => ({ read: async (options) => (await right.read(options)).toReversed() }),
      ['reader.text', 'reader.stream', 'reader.left'],
    ],
    [
      'metadata that is not JSON',
      (right) => ({
        read: async (options) =>
          (await right.read(options)).map((one) => ({ ...one, metadata: { source: Number.NaN } })),
      }),
      ['reader.metadata', 'reader.stream'],
    ],
    [
      'one id for all',
      (right) => ({ read: async (options) => (await right.read(options)).map((one) => ({ ...one, id: 'same' })) }),
      ['reader.content'],
    ],
    [
      'no limit',
      (right) => ({ read: (options) => new ParagraphReader(right.resource, 9_000_000).read(options) }),
      ['reader.endless'],
    ],
    [
      'another error for what is too large',
      (right) => ({
        read: (options) =>
          right.read(options).catch((error: unknown) => {
            if (!VernalError.is(error) || error.details['reason'] !== 'too_large') throw error;
            throw new VernalError('No', { code: 'resource', subject: 'file' });
          }),
      }),
      ['reader.endless'],
    ],
    [
      'a stream that is left open',
      (right) => ({
        async read(options) {
          const { stream } = right.resource;
          if (stream === undefined) return right.read(options);
          const pieces = stream.call(right.resource, options)[Symbol.asyncIterator]();
          const open = { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) };
          return new ParagraphReader({ ...right.resource, stream: () => open }).read(options);
        },
      }),
      ['reader.endless'],
    ],
    ['deaf', (right) => ({ read: () => right.read() }), ['reader.abort']],
    [
      'untyped errors',
      (right) => ({
        read: async (options) => {
          try {
            return await right.read(options);
          } catch (error) {
            if (options?.signal?.aborted) throw error;
            throw new TypeError('undefined is not a function', { cause: error });
          }
        },
      }),
      ['reader.hostile', 'reader.lost-resource', 'reader.not-bytes', 'reader.endless'],
    ],
    [
      'read once',
      (right) => {
        let used = false;
        return {
          read: async (options) => {
            const again = used;
            used = true;
            return again ? [] : right.read(options);
          },
        };
      },
      ['reader.again'],
    ],
  ])('%s', async (_, change, expected) => {
    const collecting = new CollectingRunner();
    const create = (resource: Resource) => {
      const right = new ParagraphReader(resource);
      const changes = change(right);
      return {
        subject: {
          read: changes.read ?? ((o?: CallContext) => right.read(o)),
          stream: (o?: CallContext) => right.stream(o),
        },
      };
    };
    describeReader('broken', create, { runner: collecting, samples, hostile, limited: create });
    expect(await collecting.run()).toEqual(expected);
  });
});

type Cut = (text: string) => string[];
const pieces: Cut = (text) => Array.from(text.matchAll(/[\s\S]{1,80}(?![\u{DC00}-\u{DFFF}])/gu), ([piece]) => piece);
/** Pieces that share 20 characters with the one before. */
const overlapping: Cut = (text) => {
  const characters = Array.from(text);
  const found: string[] = [];
  for (let start = 0; start < characters.length; start += 60) found.push(characters.slice(start, start + 80).join(''));
  return found;
};

function splitter(cut: Cut, aborts: boolean = true): DocumentTransformer {
  return {
    async *transform(documents: Documents, options?: CallContext) {
      if (aborts) checkSignal(options);
      for await (const one of documents) {
        for (const text of cut(one.text ?? '')) yield document(text, one.metadata);
      }
    },
  };
}

describeTransformer('pieces', () => ({ subject: splitter(pieces) }), { runner });
describeTransformer('overlapping pieces', () => ({ subject: splitter(overlapping) }), { runner });
describeTransformer('nothing at all', () => ({ subject: splitter((text) => [text]) }), { runner });

describe('a broken transformer fails the case that is about it', () => {
  it.each<[string, () => DocumentTransformer, readonly string[]]>([
    ['drops the end', () => splitter((text) => pieces(text).slice(0, 20)), ['transformer.text']],
    [
      'drops a piece in the middle',
      () => splitter((text) => pieces(text).filter((_, index) => index !== 3)),
      ['transformer.text'],
    ],
    ['swaps', () => splitter((text) => pieces(text).toReversed()), ['transformer.text']],
    ['cuts characters', () => splitter((text) => text.match(/[\s\S]{1,7}/g) ?? [text]), ['transformer.characters']],
    ['deaf', () => splitter(pieces, false), ['transformer.abort']],
    [
      'eager',
      () => ({
        async *transform(documents, options) {
          checkSignal(options);
          const all: Document[] = [];
          const iterator =
            Symbol.asyncIterator in documents ? documents[Symbol.asyncIterator]() : documents[Symbol.iterator]();
          for (let i = 0; i < 5; i++) {
            const { done, value } = await iterator.next();
            if (done) break;
            all.push(value);
          }
          for (const one of all) yield document(one.text ?? '', one.metadata);
        },
      }),
      ['transformer.left'],
    ],
    [
      'swallows errors',
      () => ({
        async *transform(documents, options) {
          checkSignal(options);
          try {
            for await (const one of documents) yield document(one.text ?? '', one.metadata);
          } catch {
            return;
          }
        },
      }),
      ['transformer.source-error'],
    ],
    [
      'loses metadata',
      () => ({
        async *transform(documents, options) {
          checkSignal(options);
          for await (const one of documents) yield document(one.text ?? '');
        },
      }),
      ['transformer.order'],
    ],
  ])('%s', async (_, create, expected) => {
    const collecting = new CollectingRunner();
    describeTransformer('broken', () => ({ subject: create() }), { runner: collecting });
    expect(await collecting.run()).toEqual(expected);
  });
});

import {
  type CallContext,
  type Document,
  type Documents,
  document,
  formatDocument,
  media,
  TextSplitter,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';

/** Words, as they stand in the text. */
class WordSplitter extends TextSplitter {
  protected splitText(text: string): { start: number; end: number }[] {
    return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({ start: index, end: index + word.length }));
  }
}

async function split(
  documents: Documents,
  splitter: TextSplitter = new WordSplitter(),
  context?: CallContext,
): Promise<Document[]> {
  const chunks: Document[] = [];
  for await (const chunk of splitter.transform(documents, context)) chunks.push(chunk);
  return chunks;
}

const parent = document({
  id: 'p',
  text: 'one two  three',
  metadata: { source: 'a' },
  score: 0.5,
  format: { metadataSeparator: ';' },
});

describe('TextSplitter', () => {
  it('cuts where the subclass says and tells where that was', async () => {
    const chunks = await split([parent]);
    expect(chunks.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(chunks[2]).toEqual({
      id: expect.any(String),
      text: 'three',
      metadata: {
        source: 'a',
        parent_document_id: 'p',
        chunk_index: 2,
        total_chunks: 3,
        chunk_start: 9,
        chunk_end: 14,
      },
      score: 0.5,
      format: expect.objectContaining({ metadataSeparator: ';' }),
    });
    for (const { text, metadata } of chunks) {
      expect(parent.text?.slice(Number(metadata['chunk_start']), Number(metadata['chunk_end']))).toBe(text);
    }
  });

  it('gives the same ids again, and different ones for different chunks', async () => {
    const first = await split([parent, document({ id: 'q', text: 'one one' })]);
    const second = await split([parent, document({ id: 'q', text: 'one one' })]);
    expect(second).toEqual(first);
    expect(new Set(first.map(({ id }) => id)).size).toBe(5);
    expect(first.map(({ metadata }) => metadata['chunk_index'])).toEqual([0, 1, 2, 0, 1]);
  });

  it('leaves out the format when told to', async () => {
    const [chunk] = await split([parent], new WordSplitter({ copyContentFormatter: false }));
    expect(chunk?.format).not.toHaveProperty('metadataSeparator');
  });

  it('keeps its own notes out of what is embedded and shown to models', async () => {
    const format = { excludedEmbedMetadataKeys: ['secret', 'chunk_end'] };
    const given = document({ text: 'one two', metadata: { source: 'a', secret: 's' }, format });
    for (const copyContentFormatter of [true, false]) {
      const [chunk = given] = await split([given], new WordSplitter({ copyContentFormatter }));
      expect(formatDocument(chunk, 'embed')).toBe(
        copyContentFormatter ? 'source: a\n\none' : 'source: a\nsecret: s\n\none',
      );
      expect(formatDocument(chunk, 'inference')).toBe('source: a\nsecret: s\n\none');
      expect(formatDocument(chunk, 'all')).toContain('chunk_start: 0');
    }
  });

  it('passes media through and makes nothing of empty text', async () => {
    const picture = document({ media: media('image/png', new Uint8Array(1)) });
    expect(await split([document(''), picture, document('  ')])).toEqual([picture]);
  });

  it('prepares once, before the first text and not without one', async () => {
    const calls: string[] = [];
    class Lazy extends WordSplitter {
      protected override async prepare(context?: CallContext): Promise<void> {
        calls.push(`prepare ${context?.signal === undefined}`);
      }
      protected override splitText(text: string): { start: number; end: number }[] {
        calls.push(text);
        return super.splitText(text);
      }
    }
    await split([document('')], new Lazy());
    expect(calls).toEqual([]);
    await split([document('a'), document('b')], new Lazy());
    expect(calls).toEqual(['prepare true', 'a', 'b']);
  });

  it('reads no further than it is asked to, and closes what it read from', async () => {
    const seen: string[] = [];
    async function* source(): AsyncIterable<Document> {
      try {
        for (const text of ['a b', 'c d', 'e f']) {
          seen.push(text);
          yield document(text);
        }
      } finally {
        seen.push('closed');
      }
    }
    for await (const chunk of new WordSplitter().transform(source())) if (chunk.text === 'c') break;
    expect(seen).toEqual(['a b', 'c d', 'closed']);
  });

  it('stops when the signal says so', async () => {
    const controller = new AbortController();
    const chunks: string[] = [];
    const run = async (): Promise<void> => {
      for await (const chunk of new WordSplitter().transform([document('a'), document('b')], {
        signal: controller.signal,
      })) {
        chunks.push(chunk.text ?? '');
        controller.abort();
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'aborted' });
    expect(chunks).toEqual(['a']);
  });

  it.each([
    [[{ start: 0, end: 9 }]],
    [[{ start: 1, end: 1 }]],
    [[{ start: -1, end: 1 }]],
    [
      [
        { start: 1, end: 2 },
        { start: 1, end: 3 },
      ],
    ],
    [[{ start: 0.5, end: 2 }]],
  ])('refuses offsets that cannot be: %j', async (spans) => {
    class Bad extends TextSplitter {
      protected splitText(): { start: number; end: number }[] {
        return spans;
      }
    }
    await expect(split([document('text')], new Bad())).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'splitText',
    });
  });
});

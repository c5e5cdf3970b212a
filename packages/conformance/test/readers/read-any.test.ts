import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { VernalError } from '@vernal/core';
import { etl, JsonReader, TextReader } from '@vernal/etl';
import { fileResource } from '@vernal/node';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';
import { AnyReader, type ReaderChoice, readAny } from '@vernal/readers-office';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const readers: readonly ReaderChoice[] = [
  { mimeTypes: ['text/html'], open: (file) => new HtmlReader(file, { splitByHeadings: true }) },
  { mimeTypes: ['text/markdown'], open: (file) => new MarkdownReader(file) },
  { mimeTypes: ['application/json', 'application/jsonl'], open: (file) => new JsonReader(file) },
  { mimeTypes: ['text/plain'], open: (file) => new TextReader(file) },
];
/** By names that say nothing, or something wrong. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'page.txt': '<!doctype html><meta charset="windows-1251"><h1>\xd0\xee\xe7\xfb</h1><p>\xea\xf0\xe0\xf1\xed\xfb\xe5',
  'notes.md': '# Roses\n\nThey are **red**.',
  data: '{"flower":"rose"}\n{"flower":"tulip"}\n',
  'list.csv': '[{"flower":"rose"}]',
  'prices.csv': 'flower,price\nrose,5\n',
  letter: 'Just a letter.',
  'broken.docx': 'PK\x03\x04 and nothing behind it',
};

let folder: string;
const path = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vernal-read-any-'));
  for (const [name, content] of Object.entries(FILES)) await writeFile(path(name), content, 'latin1');
});
afterAll(() => rm(folder, { recursive: true }));

describe('readAny with the readers of all packages', () => {
  it('reads a folder by what its files are, and goes on where one is broken', async () => {
    const told: (string | undefined)[] = [];
    const onError = (error: VernalError): void => void told.push(error.subject);
    const texts = new Map<string, string[]>();
    for await (const { text = '', metadata } of readAny(Object.keys(FILES).map(path), {
      readers,
      file: fileResource,
      onError,
    })) {
      const name = String(metadata['file_name']);
      texts.set(name, [...(texts.get(name) ?? []), text]);
    }
    expect(Object.fromEntries(texts)).toEqual({
      'page.txt': ['красные'],
      'notes.md': ['They are red.'],
      data: ['{"flower":"rose"}', '{"flower":"tulip"}'],
      'list.csv': ['{"flower":"rose"}'],
      'prices.csv': ['flower: rose\nprice: 5'],
      letter: ['Just a letter.'],
    });
    expect(told).toEqual(['broken.docx']);
  });

  it('takes file addresses, and says what is not there', async () => {
    const read = async (input: string | URL) => {
      const all: string[] = [];
      for await (const { text = '' } of readAny(input, { readers, file: fileResource })) all.push(text);
      return all;
    };
    expect(await read(pathToFileURL(path('letter')))).toEqual(['Just a letter.']);
    expect(await read(pathToFileURL(path('letter')).href)).toEqual(['Just a letter.']);
    await expect(read(path('missing'))).rejects.toMatchObject({ code: 'resource', details: { reason: 'not_found' } });
  });

  it('is a source for pipelines', async () => {
    const titles: unknown[] = [];
    for await (const { metadata } of etl(new AnyReader(fileResource(path('notes.md')), { readers })))
      titles.push(metadata['title']);
    expect(titles).toEqual(['Roses']);
  });
});

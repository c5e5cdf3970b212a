import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { document, readText, VernalError } from '@vernal/core';
import { FileDocumentWriter, fileResource, listFiles } from '@vernal/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vernal-node-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (...names: string[]): string => join(folder, ...names);
const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('fileResource', () => {
  it('tells uri, name and type, without touching the file', () => {
    const resource = fileResource(at('no folder', 'a b.MD'));
    expect(resource.uri).toBe(pathToFileURL(at('no folder', 'a b.MD')).href);
    expect(resource.filename).toBe('a b.MD');
    expect(resource.mimeType).toBe('text/markdown');
    expect(fileResource(at('unknown.xyz')).mimeType).toBeUndefined();
    expect(fileResource(at('a.toString')).mimeType).toBeUndefined();
    expect(fileResource('a.txt', { uri: 'doc:1', filename: 'b', mimeType: 'text/x' })).toMatchObject({
      uri: 'doc:1',
      filename: 'b',
      mimeType: 'text/x',
    });
  });

  it('reads whole and in chunks, again and again', async () => {
    const content = 'é'.repeat(100_000);
    await writeFile(at('a.txt'), content);
    const resource = fileResource(pathToFileURL(at('a.txt')));
    expect(await readText(resource)).toBe(content);
    for (let time = 0; time < 2; time++) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of resource.stream?.() ?? []) chunks.push(chunk);
      expect(chunks.length).toBeGreaterThan(1);
      expect(Buffer.concat(chunks).toString()).toBe(content);
    }
  });

  it('writes bytes and streams, and replaces what was there', async () => {
    const resource = fileResource(at('a.txt'));
    await resource.write(bytes('first and long'));
    expect(await readText(resource)).toBe('first and long');
    await resource.write(
      (async function* () {
        yield bytes('se');
        yield bytes('');
        yield bytes('cond');
      })(),
    );
    expect(await readText(resource)).toBe('second');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('can be read while it is written anew', async () => {
    const resource = fileResource(at('a.txt'));
    await resource.write(bytes('old'));
    await resource.write(
      (async function* () {
        yield await resource.bytes();
        yield bytes(' and new');
      })(),
    );
    expect(await readText(resource)).toBe('old and new');
  });

  it('keeps the mode', async () => {
    await writeFile(at('a.txt'), 'old');
    await chmod(at('a.txt'), 0o640);
    await fileResource(at('a.txt')).write(bytes('new'));
    expect((await stat(at('a.txt'))).mode & 0o777).toBe(0o640);
  });

  it('leaves a link a link', async () => {
    await writeFile(at('real.txt'), 'old');
    await symlink(at('real.txt'), at('link.txt'));
    await fileResource(at('link.txt')).write(bytes('new'));
    expect(await readFile(at('real.txt'), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['link.txt', 'real.txt']);
  });

  it('leaves the old file and no other when the content fails', async () => {
    await writeFile(at('a.txt'), 'old');
    const wrong = new Error('source failed');
    const failing = (async function* () {
      yield bytes('half');
      throw wrong;
    })();
    await expect(fileResource(at('a.txt')).write(failing)).rejects.toBe(wrong);
    expect(await readFile(at('a.txt'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('leaves the old file and no other when it is aborted', async () => {
    await writeFile(at('a.txt'), 'old');
    const controller = new AbortController();
    const content = (async function* () {
      yield bytes('half');
      controller.abort();
      yield bytes('rest');
    })();
    const error = await failure(fileResource(at('a.txt')).write(content, { signal: controller.signal }));
    expect(error.code).toBe('aborted');
    expect(await readFile(at('a.txt'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('lets concurrent writes each land whole', async () => {
    const resource = fileResource(at('a.txt'));
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10_000));
    await Promise.all(texts.map((text) => resource.write(bytes(text))));
    expect(texts).toContain(await readText(resource));
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('says what is wrong with the path', async () => {
    const missing = await failure(fileResource(at('missing.txt')).bytes());
    expect([missing.code, missing.subject, missing.details]).toEqual([
      'resource',
      at('missing.txt'),
      { reason: 'not_found' },
    ]);
    const streamed = async () => {
      for await (const chunk of fileResource(at('missing.txt')).stream?.() ?? []) expect(chunk).toBeUndefined();
    };
    expect((await failure(streamed())).details).toEqual({ reason: 'not_found' });
    expect((await failure(fileResource(folder).bytes())).details).toEqual({ reason: 'is_directory' });
    expect((await failure(fileResource(folder).write(bytes('x')))).details).toEqual({ reason: 'is_directory' });
    expect((await failure(fileResource(at('no', 'a.txt')).write(bytes('x')))).details).toEqual({ reason: 'not_found' });
    expect(() => fileResource('')).toThrow(expect.objectContaining({ subject: 'path' }));
    expect(() => fileResource(new URL('https://example.invalid/a'))).toThrow(/urlResource/);
  });

  it('honours the signal', async () => {
    await writeFile(at('a.txt'), 'x');
    const context = { signal: AbortSignal.abort() };
    const resource = fileResource(at('a.txt'));
    expect((await failure(resource.bytes(context))).code).toBe('aborted');
    expect((await failure(resource.write(bytes('y'), context))).code).toBe('aborted');
    const controller = new AbortController();
    await writeFile(at('big.txt'), Buffer.alloc(300_000));
    const streamed = async () => {
      for await (const chunk of fileResource(at('big.txt')).stream?.({ signal: controller.signal }) ?? []) {
        expect(chunk.length).toBeGreaterThan(0);
        controller.abort();
      }
    };
    expect((await failure(streamed())).code).toBe('aborted');
  });
});

describe('FileDocumentWriter', () => {
  const documents = [document('one', { page_number: 1, end_page_number: 2 }), document('zwei €', { k: 'v' })];

  it('writes text, an empty line between documents', async () => {
    await writeFile(at('out.txt'), 'old');
    await new FileDocumentWriter(at('out.txt')).write(documents);
    expect(await readFile(at('out.txt'), 'utf8')).toBe('one\n\nzwei €\n');
  });

  it('marks documents, writes metadata, appends', async () => {
    const writer = new FileDocumentWriter(at('out.txt'), { markers: true, metadataMode: 'all', append: true });
    await writer.write(documents.slice(1));
    await writer.write(documents.slice(0, 1));
    expect(await readFile(at('out.txt'), 'utf8')).toBe(
      '### Doc: 0, pages:[null,null]\nk: v\n\nzwei €\n\n### Doc: 0, pages:[1,2]\npage_number: 1\nend_page_number: 2\n\none\n',
    );
  });

  it('leaves the file as it was when the documents fail', async () => {
    await writeFile(at('out.txt'), 'old');
    const failing = (async function* () {
      yield document('new');
      throw new Error('source failed');
    })();
    await expect(new FileDocumentWriter(at('out.txt')).write(failing)).rejects.toThrow('source failed');
    expect(await readFile(at('out.txt'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['out.txt']);
  });
});

describe('listFiles', () => {
  const list = async (...args: Parameters<typeof listFiles>): Promise<string[]> => {
    const files: string[] = [];
    for await (const file of listFiles(...args)) files.push(file.slice(folder.length + 1));
    return files;
  };
  beforeEach(async () => {
    for (const name of ['b', 'a', join('a', 'deep'), 'node_modules', '.git']) await mkdir(at(name));
    for (const name of [
      'z.md',
      'b/2.md',
      'a/1.HTML',
      'a/deep/0.md',
      'a/skip.txt',
      'node_modules/x.md',
      '.git/y.md',
      '.hidden.md',
    ])
      await writeFile(at(name), '');
  });

  it('lists folders sorted, without node_modules and dot files', async () => {
    expect(await list(folder)).toEqual(['a/1.HTML', 'a/deep/0.md', 'a/skip.txt', 'b/2.md', 'z.md']);
  });

  it('keeps to the extensions, but for files that are named', async () => {
    expect(await list(folder, { extensions: ['md', '.html'] })).toEqual(['a/1.HTML', 'a/deep/0.md', 'b/2.md', 'z.md']);
    expect(await list([at('a'), at('a/skip.txt'), at('.hidden.md')], { extensions: ['md'] })).toEqual([
      'a/deep/0.md',
      'a/skip.txt',
      '.hidden.md',
    ]);
    expect(await list(at('.git'))).toEqual(['.git/y.md']);
  });

  it('lists each file once, and ends in a circle of links', async () => {
    await symlink(folder, at('a', 'circle'));
    await symlink(at('z.md'), at('a', 'again.md'));
    await symlink(at('nowhere'), at('a', 'broken.md'));
    await symlink(at('a', 'self.md'), at('a', 'self.md'));
    expect((await list([folder, at('z.md'), at('a')], { extensions: ['md'] })).sort()).toEqual([
      'a/again.md',
      'a/deep/0.md',
      'b/2.md',
    ]);
  });

  it('names a path that does not exist', async () => {
    expect(await failure(list(at('missing')))).toMatchObject({
      code: 'resource',
      subject: at('missing'),
      details: { reason: 'not_found' },
    });
  });

  it('honours the signal', async () => {
    const controller = new AbortController();
    const run = async () => {
      for await (const file of listFiles(folder, { signal: controller.signal })) {
        expect(file).toContain('1.HTML');
        controller.abort();
      }
    };
    expect((await failure(run())).code).toBe('aborted');
  });
});

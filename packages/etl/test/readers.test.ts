import { bytesResource, type Document, type Resource, type ResourceOptions, VernalError } from '@vernal/core';
import { JsonReader, TextReader } from '@vernal/etl';
import { describe, expect, it } from 'vitest';

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
const textsOf = (documents: readonly Document[]): (string | undefined)[] => documents.map((entry) => entry.text);
const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};

/** A resource that comes in chunks of `size` bytes, and tells how many were taken. */
function chunked(content: string, size: number, options?: ResourceOptions): Resource & { taken(): number } {
  const whole = new TextEncoder().encode(content);
  let taken = 0;
  return {
    ...bytesResource(content, options),
    async *stream() {
      for (let at = 0; at < whole.length; at += size) {
        taken++;
        yield whole.slice(at, at + size);
      }
    },
    taken: () => taken,
  };
}

describe('TextReader', () => {
  it('gives the text as it is, with source and charset', async () => {
    const [page, ...rest] = await new TextReader(bytesResource(' a\r\nb \n', { filename: 'a.txt' })).read();
    expect(rest).toEqual([]);
    expect(page).toMatchObject({ text: ' a\r\nb \n', metadata: { source: 'a.txt', charset: 'utf-8' } });
  });

  it('takes the URI for the source, so that equal names in two folders stay apart', async () => {
    const read = async (uri: string) =>
      (await new TextReader(bytesResource('x', { uri, filename: 'a.txt' })).read())[0];
    const [one, two] = await Promise.all([read('file:///one/a.txt'), read('file:///two/a.txt')]);
    expect(one?.metadata).toEqual({ source: 'file:///one/a.txt', file_name: 'a.txt', charset: 'utf-8' });
    expect(one?.id).not.toBe(two?.id);
  });

  it.each([
    ['a UTF-8 mark', new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]), {}, 'é', 'utf-8'],
    ['a UTF-16 mark, whatever was said', utf16('é'), { encoding: 'windows-1252' }, 'é', 'utf-16le'],
    ['the option', new Uint8Array([0xe9, 0x80, 0x93]), { encoding: 'latin1' }, 'é€“', 'windows-1252'],
    ['the option, for Chinese', new Uint8Array([0xba, 0xba]), { encoding: 'gb18030' }, '汉', 'gb18030'],
  ])('decodes by %s', async (_, bytes, options, text, charset) => {
    const [page] = await new TextReader(bytesResource(bytes), options).read();
    expect(page).toMatchObject({ text, metadata: { charset } });
  });

  it('decodes by the MIME type', async () => {
    const resource = bytesResource(new Uint8Array([0xcf]), { mimeType: 'text/plain; charset=windows-1251' });
    expect(textsOf(await new TextReader(resource).read())).toEqual(['П']);
  });

  it('adds metadata, which wins, and gives the same id each time', async () => {
    const reader = new TextReader(bytesResource('x', { filename: 'a.txt' }), {
      metadata: { source: 'mine', tenant: 1 },
    });
    const [first] = await reader.read();
    const streamed: Document[] = [];
    for await (const page of reader.stream()) streamed.push(page);
    expect(first?.metadata).toEqual({ source: 'mine', charset: 'utf-8', tenant: 1 });
    expect(streamed).toEqual([first]);
  });

  it('says that a file is binary, or of another encoding', async () => {
    const binary = await failure(
      new TextReader(bytesResource(new Uint8Array([0x50, 0x4b, 0, 0]), { filename: 'a.zip' })).read(),
    );
    expect([binary.code, binary.subject, binary.details]).toEqual(['resource', 'a.zip', { reason: 'binary' }]);
    const latin = await failure(
      new TextReader(bytesResource(new Uint8Array([0x61, 0xe9]), { filename: 'b.txt' })).read(),
    );
    expect([latin.code, latin.subject, latin.details]).toEqual(['resource', 'b.txt', { reason: 'undecodable' }]);
    expect(latin.message).toContain('utf-8');
  });

  it('refuses an unknown encoding and what is no resource, at construction', () => {
    expect(() => new TextReader(bytesResource('x'), { encoding: 'klingon' })).toThrow(
      expect.objectContaining({ subject: 'encoding' }),
    );
    expect(() => new TextReader('a.txt' as unknown as Resource)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'resource' }),
    );
  });

  it('honours the signal', async () => {
    const error = await failure(new TextReader(bytesResource('x')).read({ signal: AbortSignal.abort() }));
    expect(error.code).toBe('aborted');
  });
});

describe('JsonReader', () => {
  it('reads each element of an array, and keeps its place', async () => {
    const documents = await new JsonReader(
      bytesResource('[{"a":1,"b":{"c":[2]}}, "text", 3, null, [4]]', { filename: 'a.json' }),
    ).read();
    expect(textsOf(documents)).toEqual(['{"a":1,"b":{"c":[2]}}', 'text', '3', 'null', '[4]']);
    expect(documents[1]?.metadata).toEqual({ source: 'a.json', index: 1 });
  });

  it('reads a single value', async () => {
    const documents = await new JsonReader(bytesResource(' {"a":"]"} ')).read();
    expect(textsOf(documents)).toEqual(['{"a":"]"}']);
    expect(documents[0]?.metadata).toEqual({});
    expect(textsOf(await new JsonReader(bytesResource('[ ]')).read())).toEqual([]);
  });

  it('makes lines of keys, in the order asked for', async () => {
    const resource = bytesResource('[{"name":"rose","n":3,"tags":["a","b"]},{"other":1}]');
    expect(textsOf(await new JsonReader(resource, { keys: ['tags', 'missing', 'name'] }).read())).toEqual([
      'tags: ["a","b"]\nname: rose',
      '{"other":1}',
    ]);
    expect(textsOf(await new JsonReader(resource, { keys: ['toString', 'constructor'] }).read())[1]).toBe(
      '{"other":1}',
    );
  });

  it('follows a pointer', async () => {
    const resource = bytesResource('{"data":{"a/b":[{"x":1},{"x":2}],"~":"t"}}', { filename: 'p.json' });
    const documents = await new JsonReader(resource, { pointer: '/data/a~1b' }).read();
    expect(textsOf(documents)).toEqual(['{"x":1}', '{"x":2}']);
    expect(documents[1]?.metadata).toEqual({ source: 'p.json', pointer: '/data/a~1b', index: 1 });
    expect(textsOf(await new JsonReader(resource, { pointer: '/data/a~1b/1/x' }).read())).toEqual(['2']);
    expect(textsOf(await new JsonReader(resource, { pointer: '/data/~0' }).read())).toEqual(['t']);
    for (const pointer of ['/data/none', '/data/a~1b/01', '/data/a~1b/length', '/toString']) {
      expect((await failure(new JsonReader(resource, { pointer }).read())).subject).toBe('pointer');
    }
    for (const pointer of ['data', '/a~2']) {
      expect(() => new JsonReader(resource, { pointer })).toThrow(expect.objectContaining({ subject: 'pointer' }));
    }
  });

  it('takes metadata from objects', async () => {
    const reader = new JsonReader(bytesResource('[{"id":7},8]'), {
      metadata: (value) => ({ key: value['id'], index: 'mine' }),
    });
    expect((await reader.read()).map((entry) => entry.metadata)).toEqual([{ index: 'mine', key: 7 }, { index: 1 }]);
  });

  it('reads JSON with a byte order mark', async () => {
    expect(textsOf(await new JsonReader(bytesResource('\ufeff[{"t":"a"},{"t":"b"}]'), { keys: ['t'] }).read())).toEqual(
      ['t: a', 't: b'],
    );
  });

  it('reads JSON Lines: mark, CRLF, blank lines, U+2028, no last line end', async () => {
    const content = '\ufeff{"id":1,"t":"one"}\r\n\r\n{"id":2,"t":"two\\u2028x"}\r\n   \r\n{"id":3,"t":"\u2028raw"}';
    for (const resource of [
      bytesResource(content, { filename: 'a.jsonl' }),
      chunked(content, 1, { filename: 'a.jsonl' }),
      chunked(content, 7, { mimeType: 'application/x-ndjson' }),
    ]) {
      const documents = await new JsonReader(resource, { metadata: (value) => ({ t: value['t'] }) }).read();
      expect(documents.map((entry) => entry.metadata['t'])).toEqual(['one', 'two\u2028x', '\u2028raw']);
      expect(documents.map((entry) => entry.metadata['line'])).toEqual([1, 3, 5]);
    }
  });

  it('names a bad line, without quoting it', async () => {
    const resource = bytesResource('{"t":"ok1"}\n{"t":broken}\n{"t":"ok3"}\n');
    const error = await failure(new JsonReader(resource, { lines: true }).read());
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'line 2',
      { reason: 'invalid_json', line: 2 },
    ]);
    expect(`${error.message}${String(error.cause)}`).not.toContain('broken');
  });

  it('skips bad lines when someone is told', async () => {
    const told: unknown[] = [];
    const resource = bytesResource('{"t":"ok1"}\n{"t":broken}\n{"t":"ok3"}\n');
    const reader = new JsonReader(resource, {
      lines: true,
      keys: ['t'],
      onBadLine: (error) => told.push(error.details['line']),
    });
    expect(textsOf(await reader.read())).toEqual(['t: ok1', 't: ok3']);
    expect(told).toEqual([2]);
  });

  it.each(['[1,]', '[1 2]', '[1', '[1]]', '[1] 2', '[{"a":1]', '{', '', '[,1]', '["a'])(
    'refuses %s',
    async (content) => {
      for (const size of [1, 100]) {
        const error = await failure(new JsonReader(chunked(content, size)).read());
        expect([error.code, error.details['reason']]).toEqual(['resource', 'invalid_json']);
      }
    },
  );

  it('gives the same elements however the bytes come', async () => {
    const values = [{ a: '}],[{"\\' }, 'é🚀', [[], {}], '', ' ', { '[': ']' }, -1.5e3, true];
    const content = JSON.stringify(values, null, 1);
    for (const size of [1, 2, 3, 5, 1_000]) {
      const documents = await new JsonReader(chunked(content, size)).read();
      expect(textsOf(documents)).toEqual(
        values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
      );
    }
  });

  it('reads no more than is asked for', async () => {
    const resource = chunked(JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ index }))), 10);
    for await (const found of new JsonReader(resource).stream()) {
      expect(found.text).toBe('{"index":0}');
      break;
    }
    expect(resource.taken()).toBeLessThan(5);
  });

  it('honours the signal between documents', async () => {
    const controller = new AbortController();
    const read: (string | undefined)[] = [];
    const run = async () => {
      for await (const found of new JsonReader(bytesResource('[1,2,3]')).stream({ signal: controller.signal })) {
        read.push(found.text);
        controller.abort();
      }
    };
    expect((await failure(run())).code).toBe('aborted');
    expect(read).toEqual(['1']);
  });

  it('says that a file is binary', async () => {
    const error = await failure(
      new JsonReader(bytesResource(new Uint8Array([0x5b, 0, 0x5d]), { filename: 'a.json' })).read(),
    );
    expect(error.details).toEqual({ reason: 'binary' });
  });
});

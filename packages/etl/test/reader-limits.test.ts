import { bytesResource, type Document, type Resource, VernalError } from '@vernal/core';
import { JsonReader, type JsonReaderOptions, TextReader } from '@vernal/etl';
import { describe, expect, it } from 'vitest';

const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};

interface Endless extends Resource {
  given(): number;
  isClosed(): boolean;
}

/** The beginning, and then the piece again and again. */
function endless(beginning: string, piece: string, filename: string): Endless {
  let given = 0;
  let open = 0;
  return {
    filename,
    bytes: () => Promise.reject(new Error('the stream is to be read')),
    async *stream() {
      open++;
      try {
        yield new TextEncoder().encode(beginning);
        for (; given < 1_000; given++) yield new TextEncoder().encode(piece);
        throw new Error('more was taken than there is room for');
      } finally {
        open--;
      }
    },
    given: () => given,
    isClosed: () => open === 0,
  };
}

describe('TextReader', () => {
  it('refuses what is longer than its limit, and closes it', async () => {
    const resource = endless('', 'x'.repeat(100), 'a.txt');
    const error = await failure(new TextReader(resource, { limits: { maxFileBytes: 250 } }).read());
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'a.txt',
      { reason: 'too_large', limit: 'maxFileBytes', most: 250 },
    ]);
    expect([resource.given(), resource.isClosed()]).toEqual([2, true]);
    const [whole] = await new TextReader(bytesResource('12345'), { limits: { maxFileBytes: 5 } }).read();
    expect(whole?.text).toBe('12345');
  });
});

describe('JsonReader: a value that does not end', () => {
  it.each<[string, string, string, string, JsonReaderOptions, object, number]>([
    ['a line', 'a.jsonl', '"a"\n\n"b"\n"', 'x'.repeat(100), {}, { line: 4 }, 2],
    ['a line of spaces', 'a.jsonl', '"a"\n"b"\n', ' '.repeat(100), {}, { line: 3 }, 2],
    ['a string in an array', 'a.json', '["a", "b", "', 'x'.repeat(100), {}, { index: 2 }, 2],
    ['an object in an array', 'a.json', '["a", "b", {', `"a":"${'x'.repeat(94)}",`, {}, { index: 2 }, 2],
    ['arrays in an array', 'a.json', '["a", "b", ', '['.repeat(100), {}, { index: 2 }, 2],
    ['spaces in an array', 'a.json', '["a", "b", ', ' '.repeat(100), {}, { index: 2 }, 2],
    ['a root that is no array', 'a.json', ' {', '"a":"b",'.repeat(12), {}, {}, 0],
    ['what stands behind the array', 'a.json', '["a", "b"]', '}'.repeat(100), {}, { index: 2 }, 2],
  ])(
    '%s is an error with its place, and the source is closed',
    async (_, name, start, piece, options, place, count) => {
      const resource = endless(start, piece, name);
      const found: Document[] = [];
      const run = async () => {
        for await (const one of new JsonReader(resource, { ...options, limits: { maxValueLength: 250 } }).stream())
          found.push(one);
      };
      const error = await failure(run());
      expect([error.code, error.subject, error.details]).toEqual([
        'resource',
        name,
        { reason: 'too_large', limit: 'maxValueLength', most: 250, ...place },
      ]);
      expect(error.message).toContain(name);
      for (const number of Object.values(place)) expect(error.message).toContain(String(number));
      expect(found).toHaveLength(count);
      expect([resource.given() <= 3, resource.isClosed()]).toEqual([true, true]);
    },
  );

  it('is an error for who skips bad lines, too', async () => {
    const told: unknown[] = [];
    const resource = endless('{\n', 'x'.repeat(100), 'a.jsonl');
    const reader = new JsonReader(resource, { limits: { maxValueLength: 99 }, onBadLine: (one) => told.push(one) });
    expect((await failure(reader.read())).details).toMatchObject({ reason: 'too_large', line: 2 });
    expect([told.length, resource.isClosed()]).toEqual([1, true]);
  });

  it('behind a pointer counts by the bytes of the file', async () => {
    const resource = endless('{"a":[', '"x",'.repeat(25), 'a.json');
    const limits = { maxFileBytes: 250, maxValueLength: 1 };
    const error = await failure(new JsonReader(resource, { pointer: '/a', limits }).read());
    expect(error.details).toEqual({ reason: 'too_large', limit: 'maxFileBytes', most: 250 });
    expect([resource.given() <= 3, resource.isClosed()]).toEqual([true, true]);
    const whole = bytesResource('{"a":["one"]}');
    expect(
      await new JsonReader(whole, { pointer: '/a', limits: { maxFileBytes: 13, maxValueLength: 1 } }).read(),
    ).toHaveLength(1);
  });
});

describe('JsonReader: within its limits', () => {
  const limits = { maxFileBytes: 1, maxValueLength: 5 };

  it.each([
    ['a.jsonl', '"abc"\n'.repeat(10), '"abcd"\n'],
    ['a.json', `[${'"abc",'.repeat(9)}"abc"]`, '["abcd"]'],
    ['a.json', '"abc"', '"abcd"'],
  ])('%s has any length, and each value as much as is allowed, however it comes', async (filename, content, over) => {
    for (const size of [1, 3, 1_000]) {
      const pieces = (text: string): Resource => ({
        ...bytesResource(text, { filename }),
        async *stream() {
          for (let at = 0; at < text.length; at += size) yield new TextEncoder().encode(text.slice(at, at + size));
        },
      });
      expect((await new JsonReader(pieces(content), { limits }).read())[0]?.text).toBe('abc');
      expect((await failure(new JsonReader(pieces(over), { limits }).read())).details['limit']).toBe('maxValueLength');
    }
  });

  it('takes white space behind an array for nothing, as much as there is', async () => {
    const resource = bytesResource(`[1]${' \n'.repeat(500)}`);
    expect(await new JsonReader(resource, { limits }).read()).toHaveLength(1);
  });

  it('has none with Infinity, and refuses what is no limit', () => {
    expect(
      () => new JsonReader(bytesResource(''), { limits: { maxValueLength: Number.POSITIVE_INFINITY } }),
    ).not.toThrow();
    for (const wrong of [{ maxValueLength: 0 }, { maxFileBytes: '5' }, { maxLineLength: 5 }, 5]) {
      for (const Reader of [JsonReader, TextReader]) {
        expect(() => new Reader(bytesResource(''), { limits: wrong } as never)).toThrow(
          expect.objectContaining({ code: 'invalid_argument' }),
        );
      }
    }
  });

  it('refuses names that are no option', () => {
    for (const Reader of [JsonReader, TextReader]) {
      expect(() => new Reader(bytesResource(''), { limit: {} } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: 'limit' }),
      );
    }
  });

  it('refuses what is nested deeper than can be written, with its place', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const error = await failure(new JsonReader(bytesResource(`1\n${deep}\n`, { filename: 'a.jsonl' })).read());
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'a.jsonl',
      { reason: 'too_deep', line: 2 },
    ]);
  });
});

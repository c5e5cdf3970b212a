import { convertToolResult } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

class Money {
  readonly #cents: number;
  constructor(cents: number) {
    this.#cents = cents;
  }
  toJSON(): unknown {
    return { amount: this.#cents / 100 };
  }
}

const cyclic: Record<string, unknown> = { a: 1 };
cyclic['self'] = cyclic;
const twice = { x: 1 };

describe('convertToolResult', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'Done'],
    ['null', null, 'null'],
    ['an empty string', '', ''],
    ['a string', 'plain text', 'plain text'],
    ['JSON text', '{"already":"json"}', '{"already":"json"}'],
    ['a number', 3.5, '3.5'],
    ['a boolean', true, 'true'],
    ['bigint', 12345678901234567890n, '12345678901234567890'],
    ['bigint inside', { n: 10n }, '{"n":"10"}'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a date inside', [new Date(0)], '["1970-01-01T00:00:00.000Z"]'],
    ['a map', new Map([['k', 1]]), '{"k":1}'],
    ['a map with other keys', new Map([[1, 'a']]), '[[1,"a"]]'],
    ['a set', new Set([1]), '[1]'],
    ['a typed array', new Float32Array([1, 0.5]), '[1,0.5]'],
    ['an error', new RangeError('bad'), '{"name":"RangeError","message":"bad"}'],
    ['a symbol', Symbol('s'), '"Symbol(s)"'],
    ['a function', () => 1, 'null'],
    ['NaN', Number.NaN, 'null'],
    ['-0', -0, '0'],
    ['undefined inside', { a: undefined, b: [undefined] }, '{"b":[null]}'],
    ['toJSON', new Money(150), '{"amount":1.5}'],
    ['a cycle', cyclic, '{"a":1,"self":"[Circular]"}'],
    ['the same object twice', [twice, twice], '[{"x":1},{"x":1}]'],
    ['bytes', new Uint8Array([1, 2]), '"AQI="'],
    ['an iterator', [1][Symbol.iterator](), '"[Array Iterator]"'],
    ['a generator', (async function* () {})(), '"[AsyncGenerator]"'],
    ['a stream', new ReadableStream(), '"[ReadableStream]"'],
    ['a response, inside', { response: new Response('x') }, '{"response":"[Response]"}'],
    ['a promise, inside', [Promise.resolve(1)], '["[Promise]"]'],
    ['an empty map', new Map(), '{}'],
    ['an object of a class, without fields', new (class Nothing {})(), '{}'],
    ['__proto__ as a key', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  ])('%s', (_, result, text) => {
    expect(convertToolResult(result)).toBe(text);
  });

  it('never throws', () => {
    const deep: unknown[] = [];
    let level = deep;
    for (let i = 0; i < 100_000; i++) {
      const next: unknown[] = [];
      level.push(next);
      level = next;
    }
    const hostile = [
      deep,
      new Date(Number.NaN),
      {
        get a(): never {
          throw new Error('no');
        },
      },
      {
        toJSON(): never {
          throw new Error('no');
        },
      },
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no');
          },
        },
      ),
      Object.create(null),
      globalThis,
    ];
    for (const value of hostile) expect(convertToolResult(value)).toEqual(expect.any(String));
  });

  it('is JSON.parse backwards for JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(typeof value !== 'string');
        expect(JSON.parse(convertToolResult(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('gives text for anything at all', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true, withDate: true }),
        (value) => {
          expect(typeof convertToolResult(value)).toBe('string');
        },
      ),
    );
  });
});

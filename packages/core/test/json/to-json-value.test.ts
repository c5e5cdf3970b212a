import { toJsonValue } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

class Money {
  readonly #cents = 250;
  toJSON(): string {
    return `${this.#cents / 100} EUR`;
  }
}

describe('toJsonValue', () => {
  const shared = { n: 1 };
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic['self'] = cyclic;
  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['a function', () => 1, null],
    ['a bigint', { n: 10n }, { n: '10' }],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), null],
    ['NaN', [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ['a map', new Map([['k', 1]]), { k: 1 }],
    ['a map with keys that are not text', new Map([[1, 'x']]), [[1, 'x']]],
    ['a set', new Set([1, new Set([2])]), [1, [2]]],
    ['an error', new TypeError('bad'), { name: 'TypeError', message: 'bad' }],
    ['bytes', new Uint8Array([1, 2, 3]), 'AQID'],
    ['a vector', new Float32Array([0.5, 1]), [0.5, 1]],
    ['undefined members', { a: undefined, b: [undefined] }, { b: [null] }],
    ['toJSON', { price: new Money() }, { price: '2.5 EUR' }],
    ['minus zero', -0, 0],
    ['a cycle', cyclic, { a: 1, self: '[Circular]' }],
    ['an object used twice', { x: shared, y: shared }, { x: { n: 1 }, y: { n: 1 } }],
    ['a hole', Array(2), [null, null]],
  ])('%s', (_name, value, expected) => {
    expect(toJsonValue(value as object)).toEqual(expected);
  });

  it('costs what throws when it is read, and no more', () => {
    const fail = (): never => {
      throw new Error('no');
    };
    const value = {
      a: 1,
      get b() {
        return fail();
      },
      c: { toJSON: fail },
      d: new Map([
        [
          'k',
          {
            get x() {
              return fail();
            },
          },
        ],
      ]),
    };
    expect(toJsonValue(value)).toEqual({ a: 1, b: null, c: null, d: { k: { x: null } } });
    expect(toJsonValue(new Proxy({}, { ownKeys: fail }))).toBeNull();
  });

  it('ends where nesting has no end', () => {
    let deep: object = {};
    for (let i = 0; i < 50_000; i++) deep = { deep };
    expect(JSON.stringify(toJsonValue(deep))).toContain('"[Too deep]"');
  });

  it('keeps a member called __proto__ as data', () => {
    const json = toJsonValue(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(json)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
  });

  it('gives what JSON can hold for anything, and JSON itself unchanged', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
        (value) => {
          const json = toJsonValue(value as object);
          expect(JSON.parse(JSON.stringify(json))).toEqual(json);
        },
      ),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJsonValue(value as never)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

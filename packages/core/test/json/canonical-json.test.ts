import { canonicalJson, VernalError } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const byCodePoint = (a: string, b: string): number => {
  const x = [...a].map((c) => c.codePointAt(0) ?? 0);
  const y = [...b].map((c) => c.codePointAt(0) ?? 0);
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
};

describe('canonicalJson', () => {
  it('sorts keys at every depth and writes no white space', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: true })).toBe('{"a":true,"b":[{"c":null,"d":1}]}');
    expect(canonicalJson({ 10: 'x', 9: 'y' })).toBe('{"10":"x","9":"y"}');
  });

  it('sorts by code point where code units would differ', () => {
    expect(canonicalJson({ '\u{1F600}': 1, '\uFB00': 2 })).toBe('{"\uFB00":2,"\u{1F600}":1}');
  });

  it('turns dates into ISO text and drops undefined members', () => {
    expect(canonicalJson({ at: new Date(0), gone: undefined, list: [undefined] })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","list":[null]}',
    );
  });

  it('refuses what is not JSON and names the path, not the value', () => {
    const cyclic: Record<string, never> = {};
    Reflect.set(cyclic, 'self', cyclic);
    const bad: [unknown, string][] = [
      [{ a: { b: [Number.NaN] } }, 'value.a.b[0]'],
      [{ a: 1n }, 'value.a'],
      [{ a: Symbol('s') }, 'value.a'],
      [{ a: () => 1 }, 'value.a'],
      [new Map(), 'value'],
      [{ a: new Date(Number.NaN) }, 'value.a'],
      [cyclic, 'value.self'],
    ];
    for (const [value, subject] of bad) {
      expect(() => canonicalJson(value as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject }),
      );
    }
  });

  it('says the same as JSON for every value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = canonicalJson(value as never);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(reversed(value) as never)).toBe(text);
      }),
    );
  });

  it('orders keys by code point', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 8 }), (keys) => {
        const wellFormed = keys.filter((key) => !/\p{Surrogate}/u.test(key));
        const text = canonicalJson(Object.fromEntries(wellFormed.map((key) => [key, 0])));
        expect(text).toBe(
          `{${wellFormed
            .sort(byCodePoint)
            .map((key) => `${JSON.stringify(key)}:0`)
            .join(',')}}`,
        );
      }),
    );
  });

  it('refuses nesting that would end in a stack overflow', () => {
    let deep: unknown[] = [];
    for (let i = 0; i < 200_000; i++) deep = [deep];
    expect(() => canonicalJson(deep as never)).toThrow(VernalError);
  });

  it('names the beginning of a path that is too long to be read', () => {
    let deep: object = { bad: Number.NaN };
    for (let i = 0; i < 500; i++) deep = { deep };
    expect(() => canonicalJson(deep as never)).toThrow(/^value(\.deep)+.{0,5}…: NaN is not JSON/);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

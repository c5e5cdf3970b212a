import {
  delegatingToolResolver,
  flattenToolSources,
  staticToolResolver,
  Tool,
  type ToolSource,
  tool,
} from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';

const a = tool({ name: 'a', execute: () => 'a' });
const b = tool({ name: 'b', execute: () => 'b' });

class Clock {
  @Tool({})
  now(): string {
    return 'noon';
  }
}

describe('flattenToolSources', () => {
  it('flattens lists, opens objects, keeps providers unasked', () => {
    const provider = { toolCallbacks: vi.fn(() => [b]) };
    const flat = flattenToolSources([a, [[provider], new Clock()]]);
    expect(flat[0]).toBe(a);
    expect(flat[1]).toBe(provider);
    expect(flat[2]).toMatchObject({ definition: { name: 'now' } });
    expect(provider.toolCallbacks).not.toHaveBeenCalled();
  });

  it.each<[string, unknown]>([
    ['a plain object', {}],
    ['a record of tools', { a }],
    ['null', null],
    ['text', 'a'],
    ['a function', () => a],
  ])('refuses %s', (_, source) => {
    expect(() => flattenToolSources([source as ToolSource])).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});

describe('resolvers', () => {
  it('find by exact name', () => {
    const resolver = staticToolResolver([a, b]);
    expect(resolver.resolve('b')).toBe(b);
    expect(resolver.resolve('B')).toBeUndefined();
    expect(resolver.resolve('toString')).toBeUndefined();
    expect(() => staticToolResolver([a, tool({ name: 'a', execute: () => 1 })])).toThrow(/two tools named 'a'/);
  });

  it('are asked one after another, first hit first', async () => {
    const other = tool({ name: 'a', execute: () => 'other' });
    const last = { resolve: vi.fn(() => undefined) };
    const resolver = delegatingToolResolver(
      { resolve: () => undefined },
      { resolve: async (name) => (name === 'b' ? b : undefined) },
      staticToolResolver([other]),
      last,
    );
    expect(await resolver.resolve('a')).toBe(other);
    expect(await resolver.resolve('b')).toBe(b);
    expect(last.resolve).not.toHaveBeenCalled();
    expect(await resolver.resolve('c')).toBeUndefined();
    expect(last.resolve).toHaveBeenCalledTimes(1);
    expect(delegatingToolResolver(staticToolResolver([a])).resolve('a')).toBe(a);
  });
});

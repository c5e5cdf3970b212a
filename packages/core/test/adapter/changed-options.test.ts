import type { ChatOptions } from '@vernal/core';
import { changedOptions } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

interface Options {
  readonly apiKey?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly defaultOptions?: ChatOptions | undefined;
}

const options: Options = {
  apiKey: 'k',
  timeoutMs: 1_000,
  defaultOptions: { model: 'one', temperature: 0, stopSequences: ['a'] },
};

it('what is given replaces, undefined keeps, and the old options stay as they are', () => {
  const before = structuredClone(options);
  expect(changedOptions<Options>(options, { timeoutMs: 5, apiKey: undefined })).toEqual({ ...options, timeoutMs: 5 });
  expect(options).toEqual(before);
});

it('default options go over the old ones: null unsets, undefined keeps, lists replace', () => {
  const changed = changedOptions<Options>(options, {
    defaultOptions: { temperature: null, stopSequences: ['b'] },
  });
  expect(changed).toEqual({
    ...options,
    defaultOptions: { model: 'one', temperature: null, stopSequences: ['b'] },
  });
});

it('default options that were none are those given', () => {
  expect(changedOptions<Options>({}, { defaultOptions: { topK: 3 } })).toEqual({
    defaultOptions: { topK: 3 },
  });
});

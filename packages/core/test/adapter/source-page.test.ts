import { sourcePage } from '@vernal/core/adapter';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it('a page of names is what sorting all of them would give', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ maxLength: 3 })),
      fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
      fc.integer({ min: 1, max: 5 }),
      (names, after, limit) => {
        const expected = names.toSorted().filter((name) => after === undefined || name > after);
        expect(sourcePage(names, { after, limit })).toEqual(expected.slice(0, limit));
      },
    ),
  );
});

it('refuses a limit that is none', () => {
  expect(() => sourcePage([], { limit: 0 })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

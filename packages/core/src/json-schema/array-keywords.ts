import { attempt, type Check, descend, type Run, report, spend } from './check.js';
import { equalItems } from './equal-items.js';
import { countArgument, type Keyword, type KeywordSite, type KeywordTable, listArgument } from './keyword.js';

function onArray(check: (value: readonly unknown[], run: Run) => void): Check {
  return (value, run) => {
    if (Array.isArray(value)) check(value, run);
  };
}

function tuple(argument: unknown, site: KeywordSite): Check {
  const checks = listArgument(argument, site).map((schema, index) => site.compile(schema, index));
  return onArray((value, run) => {
    for (const [index, check] of checks.entries()) {
      if (index >= value.length) return;
      run.evaluated?.items.add(index);
      descend(check, value[index], index, run);
    }
  });
}

/** Items from `start` on. */
function rest(argument: unknown, start: number, site: KeywordSite): Check {
  const check = site.compile(argument);
  return onArray((value, run) => {
    if (argument === false) {
      if (value.length > start) report(run, `must have at most ${start} items`);
      return;
    }
    for (let index = start; index < value.length; index++) {
      run.evaluated?.items.add(index);
      descend(check, value[index], index, run);
    }
  });
}

/** Keywords about arrays. `unevaluatedItems` stands apart: it runs after all others. */
export const ARRAY_KEYWORDS: KeywordTable = [
  ['prefixItems', tuple],
  [
    'items',
    (argument, site) => {
      // Older drafts: a list here is what is now `prefixItems`.
      if (Array.isArray(argument)) return tuple(argument, site);
      const { prefixItems } = site.schema;
      return rest(argument, Array.isArray(prefixItems) ? prefixItems.length : 0, site);
    },
  ],
  [
    // Older drafts: only beside a list of `items`.
    'additionalItems',
    (argument, site) => {
      const { items } = site.schema;
      return Array.isArray(items) ? rest(argument, items.length, site) : undefined;
    },
  ],
  [
    'contains',
    (argument, site) => {
      const check = site.compile(argument);
      const { minContains, maxContains } = site.schema;
      const least = minContains === undefined ? 1 : countArgument(minContains, { ...site, keyword: 'minContains' });
      const most =
        maxContains === undefined ? undefined : countArgument(maxContains, { ...site, keyword: 'maxContains' });
      return onArray((value, run) => {
        let found = 0;
        let doubtful = 0;
        for (const [index, item] of value.entries()) {
          const trial = attempt((candidate, inner) => descend(check, candidate, index, inner), item, run);
          if (trial.issues.length > 0) continue;
          found++;
          if (trial.doubtful) doubtful++;
          run.evaluated?.items.add(index);
        }
        if (found < least) report(run, `must have at least ${least} items of the kind that 'contains' asks for`);
        if (most !== undefined && found - doubtful > most)
          report(run, `must have at most ${most} items of the kind that 'contains' asks for`);
      });
    },
  ],
  [
    'minItems',
    (argument, site) => {
      const limit = countArgument(argument, site);
      return onArray((value, run) => {
        if (value.length < limit) report(run, `must have at least ${limit} items`);
      });
    },
  ],
  [
    'maxItems',
    (argument, site) => {
      const limit = countArgument(argument, site);
      return onArray((value, run) => {
        if (value.length > limit) report(run, `must have at most ${limit} items`);
      });
    },
  ],
  [
    'uniqueItems',
    (argument) =>
      argument === true
        ? onArray((value, run) => {
            const equal = equalItems(value, (steps) => spend(run, steps));
            if (equal !== undefined) report(run, `must not repeat an item: ${equal[0]} and ${equal[1]} are equal`);
          })
        : undefined,
  ],
];

export const UNEVALUATED_ITEMS: Keyword = (argument, site) => {
  const check = site.compile(argument);
  return onArray((value, run) => {
    for (const [index, item] of value.entries()) {
      if (run.evaluated?.items.has(index) === true) continue;
      if (argument === false) report(run, `must not have item ${index}`);
      else descend(check, item, index, run);
      run.evaluated?.items.add(index);
    }
  });
};

import type { IngestLedger, LedgerEntry } from '@vernal/core';
import { check, checkEqual, present, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { LedgerStage } from './ledger-stage.js';

/** Stable: a report of today compares with one of last year. */
export type IngestLedgerCaseId = `ledger.${string}`;

const fresh = (source: string, version = 'v1'): LedgerEntry => ({
  source,
  pending: { version, count: 20, written: 10 },
  stale: [],
});

const FULL: LedgerEntry = {
  source: 'full',
  current: { version: 'a'.repeat(200), count: 0 },
  pending: { version: 'v "2"\u2028\n', count: 2 ** 40, written: 2 ** 33 },
  stale: Array.from({ length: 50 }, (_, at) => ({ version: `old ${at}`, count: at })),
};

const ODD_NAMES = [
  'a',
  'A',
  ' a',
  'a ',
  "it's",
  '"q"',
  'a;--',
  '%',
  '_',
  'a%',
  '*',
  'a/b\\c',
  'a\tb\nc',
  'café',
  'cafe\u0301',
  '資料/休暇.md',
  '👨‍👩‍👧',
  'constructor',
  '__proto__',
  '{tag}',
  '$1',
  '?',
  ':name',
  'x'.repeat(2000),
  'https://example.org/a?b=c&d=%20#e',
];

async function contentOf(ledger: IngestLedger, source: string): Promise<LedgerEntry | undefined> {
  const stored = await ledger.get(source);
  if (stored === undefined) return undefined;
  const { revision: _, ...entry } = stored;
  return entry;
}

async function allSources(ledger: IngestLedger, limit: number): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const page = await ledger.sources({ after: all.at(-1), limit });
    check(page.length <= limit, `a page of ${limit} has ${page.length}`);
    all.push(...page);
    if (page.length < limit) return all;
  }
}

/** What every ledger keeps to. */
export const ledgerCases: readonly SuiteCase<IngestLedgerCaseId, LedgerStage>[] = [
  {
    id: 'ledger.empty',
    title: 'has nothing at first',
    async run({ ledger }) {
      checkEqual(ledger.scope, 'main', 'scope');
      checkEqual(await ledger.get('a'), undefined, 'entry');
      checkEqual(await ledger.sources(), [], 'sources');
    },
  },
  {
    id: 'ledger.put.round-trip',
    title: 'gives back what was put, every field of it, with the revision of the put',
    async run({ ledger }) {
      for (const entry of [fresh('a'), FULL, { source: 'bare', stale: [] }]) {
        const revision = present(await ledger.put(entry, undefined), 'the revision');
        const stored = present(await ledger.get(entry.source), 'the entry');
        checkEqual([stored.revision, await contentOf(ledger, entry.source)], [revision, entry], 'what is stored');
      }
    },
  },
  {
    id: 'ledger.put.next',
    title: 'replaces an entry of the revision that is named; each put has a revision of its own',
    async run({ ledger }) {
      const revisions = [present(await ledger.put(fresh('a'), undefined), 'the first revision')];
      // The same again is a change, too: whoever read the entry before has to read it anew.
      for (const version of ['v2', 'v2', 'v1'])
        revisions.push(present(await ledger.put(fresh('a', version), revisions.at(-1)), 'the next revision'));
      checkEqual(new Set(revisions).size, 4, 'different revisions');
      checkEqual(await contentOf(ledger, 'a'), fresh('a', 'v1'), 'what is stored');
    },
  },
  {
    id: 'ledger.put.late',
    title: 'changes nothing for a revision that is not the last one',
    async run({ ledger }) {
      const first = present(await ledger.put(fresh('a'), undefined), 'the first revision');
      const second = present(await ledger.put(fresh('a', 'v2'), first), 'the second revision');
      checkEqual(await ledger.put(fresh('a', 'v3'), first), undefined, 'put with the revision before');
      checkEqual(await ledger.put(fresh('a', 'v3'), undefined), undefined, 'put as if it were new');
      checkEqual(await ledger.put(fresh('b'), second), undefined, 'put of what is not there with a revision');
      checkEqual(await contentOf(ledger, 'a'), fresh('a', 'v2'), 'what is stored');
      checkEqual(await ledger.get('b'), undefined, 'the other');
    },
  },
  {
    id: 'ledger.put.race',
    title: 'lets one of many win that are based on the same revision',
    async run({ ledger, another }) {
      const other = await another();
      for (let round = 0; round < 5; round++) {
        const before = (await ledger.get('a'))?.revision;
        const puts = Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? ledger : other).put(fresh('a', `round ${round}, ${at}`), before),
        );
        const won = (await Promise.all(puts)).flatMap((revision, at) => (revision === undefined ? [] : [at]));
        checkEqual(won.length, 1, 'winners');
        checkEqual(await contentOf(other, 'a'), fresh('a', `round ${round}, ${won[0]}`), 'what is stored');
      }
    },
  },
  {
    id: 'ledger.put.together',
    title: 'takes many sources at the same time',
    async run({ ledger, another }) {
      const names = Array.from({ length: 60 }, (_, at) => `source ${at}`);
      const other = await another();
      await Promise.all(names.map((name, at) => (at % 2 === 0 ? ledger : other).put(fresh(name), undefined)));
      checkEqual((await allSources(ledger, 7)).toSorted(), names.toSorted(), 'sources');
    },
  },
  {
    id: 'ledger.delete',
    title: 'deletes an entry of the revision that is named, and only that',
    async run({ ledger }) {
      const first = present(await ledger.put(fresh('a'), undefined), 'the first revision');
      const second = present(await ledger.put(fresh('a', 'v2'), first), 'the second revision');
      await ledger.put(fresh('b'), undefined);
      checkEqual(
        [await ledger.delete('a', first), await ledger.delete('nobody', first)],
        [false, false],
        'deleted too late',
      );
      checkEqual(await ledger.delete('a', second), true, 'deleted');
      checkEqual([await ledger.get('a'), await ledger.delete('a', second)], [undefined, false], 'once more');
      checkEqual(await ledger.sources(), ['b'], 'sources');
    },
  },
  {
    id: 'ledger.delete.again',
    title: 'takes no revision of an entry that was deleted for one of its successor',
    async run({ ledger }) {
      const first = present(await ledger.put(fresh('a'), undefined), 'the first revision');
      await ledger.delete('a', first);
      present(await ledger.put(fresh('a'), undefined), 'the revision of the successor');
      checkEqual(await ledger.put(fresh('a', 'v2'), first), undefined, 'put');
      checkEqual(await ledger.delete('a', first), false, 'delete');
    },
  },
  {
    id: 'ledger.sources.pages',
    title: 'lists each source once, page by page, while they are deleted',
    async run({ ledger }) {
      const names = Array.from({ length: 25 }, (_, at) => `source ${at}`);
      for (const name of names) await ledger.put(fresh(name), undefined);
      for (const limit of [1, 10, 25, 26])
        checkEqual((await allSources(ledger, limit)).toSorted(), names.toSorted(), `by ${limit}`);
      checkEqual((await ledger.sources()).length, 25, 'without a limit');
      const seen: string[] = [];
      for (
        let page = await ledger.sources({ limit: 4 });
        page.length > 0;
        page = await ledger.sources({ after: seen.at(-1), limit: 4 })
      ) {
        seen.push(...page);
        for (const name of page) await ledger.delete(name, present(await ledger.get(name), name).revision);
      }
      checkEqual(seen.toSorted(), names.toSorted(), 'seen while deleting');
    },
  },
  {
    id: 'ledger.sources.odd-names',
    title: 'keeps names apart and as they are, whatever they are',
    async run({ ledger }) {
      for (const [at, name] of ODD_NAMES.entries()) await ledger.put(fresh(name, `v${at}`), undefined);
      for (const [at, name] of ODD_NAMES.entries())
        checkEqual(await contentOf(ledger, name), fresh(name, `v${at}`), name);
      for (const limit of [1, 3])
        checkEqual((await allSources(ledger, limit)).toSorted(), ODD_NAMES.toSorted(), 'sources');
    },
  },
  {
    id: 'ledger.scopes',
    title: 'keeps scopes apart',
    async run({ ledger, another }) {
      const other = await another("other's");
      checkEqual(other.scope, "other's", 'scope');
      await ledger.put(fresh('a'), undefined);
      await ledger.put(fresh('b'), undefined);
      const revision = present(await other.put(fresh('a', 'v2'), undefined), 'the revision in the other scope');
      checkEqual([(await ledger.sources()).toSorted(), await other.sources()], [['a', 'b'], ['a']], 'sources');
      await other.delete('a', revision);
      checkEqual(await contentOf(ledger, 'a'), fresh('a'), 'what is stored');
    },
  },
  {
    id: 'ledger.restart',
    title: 'has the same when it is opened again',
    async run({ ledger, another }) {
      await ledger.put(FULL, undefined);
      const revision = present(await ledger.put(fresh('a'), undefined), 'the revision');
      const gone = present(await ledger.put(fresh('gone'), undefined), 'the revision of what goes');
      await ledger.delete('gone', gone);
      await ledger.close();
      const again = await another();
      checkEqual([await contentOf(again, 'full'), await again.get('gone')], [FULL, undefined], 'entries');
      checkEqual((await again.sources()).toSorted(), ['a', 'full'], 'sources');
      check((await again.put(fresh('a', 'v2'), revision)) !== undefined, 'a revision must hold over a restart');
    },
  },
  {
    id: 'ledger.abort',
    title: 'does nothing for a signal that has fired',
    async run({ ledger }) {
      const revision = present(await ledger.put(fresh('a'), undefined), 'the revision');
      const context = { signal: AbortSignal.abort() };
      await rejectsWith(() => ledger.get('a', context), 'aborted', 'get');
      await rejectsWith(() => ledger.put(fresh('a', 'v2'), revision, context), 'aborted', 'put');
      await rejectsWith(() => ledger.delete('a', revision, context), 'aborted', 'delete');
      await rejectsWith(() => ledger.sources({}, context), 'aborted', 'sources');
      checkEqual(await contentOf(ledger, 'a'), fresh('a'), 'what is stored');
    },
  },
  {
    id: 'ledger.bad-input',
    title: 'refuses pages of nothing',
    async run({ ledger }) {
      for (const limit of [0, -1, 1.5, Number.NaN])
        await rejectsWith(() => ledger.sources({ limit }), 'invalid_argument', `limit ${limit}`);
    },
  },
  {
    id: 'ledger.close',
    title: 'closes once, and leaves others over the same data alone',
    async run({ ledger, another }) {
      const other = await another();
      await ledger.put(fresh('a'), undefined);
      await ledger.close();
      await ledger[Symbol.asyncDispose]();
      checkEqual(await contentOf(other, 'a'), fresh('a'), 'what is stored');
      await other.put(fresh('b'), undefined);
      checkEqual((await other.sources()).toSorted(), ['a', 'b'], 'sources');
    },
  },
];

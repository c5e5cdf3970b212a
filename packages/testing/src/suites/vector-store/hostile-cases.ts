import { filter } from '@vernal/vector-store';
import { checkEqual } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreCase } from './store-case.js';
import type { StoreStage } from './store-stage.js';
import { doc } from './store-stage.js';

/** What quoting, escaping, patterns, comments and parameter marks could trip over. */
const VALUES = [
  "'",
  '"',
  "''",
  "o'hara",
  '\\',
  "\\'",
  "'; DROP TABLE documents; --",
  "' OR '1'='1",
  '" OR ""="',
  '*/ x /*',
  '-- x',
  '# x',
  '%',
  '_',
  '100%',
  'a*b?',
  '$1',
  ':name',
  '?',
  '{{x}}',
  '$'.concat('{x}'),
  '`x`',
  '[x]',
  '{x}',
  '(x)',
  '|',
  '&',
  '!',
  '~',
  '@',
  '^',
  'a,b',
  'a:b',
  'a-b',
  'line\nbreak',
  'tab\tbed',
  ' lead',
  'trail ',
  'null',
  'true',
  '1',
  '\u2028',
  'Ünïcödé',
  '日本語',
  '😀',
  '<script>',
  '{"$ne": null}',
  "{'$gt': ''}",
  '$where',
  '__proto__',
] as const;
/** Beside all of `VALUES`. */
const KEYS = [
  "it's",
  'a"b',
  'a b',
  'a-b',
  'a]b',
  'a[0]',
  'a\\b',
  'a;b',
  'a`b',
  '$ref',
  '$where',
  'select',
  'order',
  'constructor',
  '__proto__x',
  'toString',
  "x' OR 'a'='a",
  'ключ',
  '鍵',
  '😀',
  'a/b',
  'a:b',
  'a%b',
  'a{b}',
  '1st',
  '-',
  '',
  '.',
  'a..b',
  '.a',
  '$.a',
  '$[*]',
  '*',
  'a.*',
  '") or true or ("',
  "'] = 1 --",
  'nul\u0000',
  'half \ud83d',
] as const;

async function checkEach(stage: StoreStage, pairs: readonly (readonly [key: string, value: string])[]): Promise<void> {
  if (!stage.store.capabilities.filterOperators.includes('EQ')) notDeclared('EQ is not declared');
  await stage.add(...pairs.map(([key, value], index) => doc(`h${index}`, { [key]: value })));
  for (const [index, [key, value]] of pairs.entries()) {
    const found = await stage.ids({ filterExpression: filter.eq(key, value) });
    checkEqual(found, [`h${index}`], `documents where ${JSON.stringify(key)} is ${JSON.stringify(value)}`);
  }
  checkEqual((await stage.ids()).length, pairs.length, 'documents at the end');
}

export const hostileCases: readonly StoreCase[] = [
  {
    id: 'vs.hostile.values',
    title: 'values with quotes, escapes, wildcards and query text are data',
    run: (stage) =>
      checkEach(
        stage,
        VALUES.map((value) => ['v', value] as const),
      ),
  },
  {
    id: 'vs.hostile.keys',
    title: 'keys with quotes, brackets and query text are data',
    run: (stage) =>
      checkEach(
        stage,
        [...new Set<string>([...VALUES, ...KEYS])].map((key) => [key, 'x'] as const),
      ),
  },
  {
    id: 'vs.hostile.lists',
    title: 'hostile values in a list are data',
    async run(stage) {
      if (!stage.store.capabilities.filterOperators.includes('IN')) notDeclared('IN is not declared');
      await stage.add(...VALUES.map((value, index) => doc(`h${index}`, { v: value })), doc('plain', { v: 'plain' }));
      const found = await stage.ids({ filterExpression: filter.in('v', VALUES) });
      checkEqual(found.length, VALUES.length, 'documents in the list');
    },
  },
  {
    id: 'vs.hostile.ids',
    title: 'ids with quotes and query text are ids',
    async run(stage) {
      const ids = VALUES.filter((value) => value.trim() === value);
      await stage.add(...ids.map((id) => doc(id, {}, `text of ${id}`)));
      checkEqual((await stage.ids()).toSorted(), ids.toSorted(), 'ids');
      await stage.store.delete(["' OR '1'='1", '*', '%']);
      await stage.settle();
      checkEqual(
        (await stage.ids()).toSorted(),
        ids.filter((id) => id !== "' OR '1'='1" && id !== '%').toSorted(),
        'ids after delete',
      );
    },
  },
  {
    id: 'vs.hostile.queries',
    title: 'queries with query text are text',
    async run(stage) {
      await stage.add(doc('a'));
      for (const query of VALUES.filter((value) => value.trim() !== ''))
        checkEqual(await stage.ids({ query }), ['a'], `documents for ${JSON.stringify(query)}`);
    },
  },
  {
    id: 'vs.add.nul-in-text',
    title: 'U+0000 in text and metadata comes back',
    async run(stage) {
      await stage.add(doc('a', { v: 'nul\u0000here' }, 'text\u0000with nul'));
      const [found] = await stage.search();
      checkEqual([found?.text, found?.metadata['v']], ['text\u0000with nul', 'nul\u0000here'], 'text and metadata');
    },
  },
  {
    id: 'vs.add.long-text',
    title: 'a text of 200,000 characters comes back whole',
    async run(stage) {
      const text = 'word € '.repeat(28_572);
      await stage.add(doc('a', {}, text));
      checkEqual((await stage.search())[0]?.text === text, true, 'the text is the same');
    },
  },
];

import { checkCode, checkEqual, present } from '../kernel/assertions.js';
import type { StoreCase } from './store-case.js';
import type { StoreStage } from './store-stage.js';
import { doc } from './store-stage.js';

const COMPOSED = '\u00e9';
const DECOMPOSED = 'e\u0301';
const UNICODE = [
  COMPOSED,
  DECOMPOSED,
  '\u202eright to left',
  'family 👨‍👩‍👧‍👦',
  'अनुच्छेद',
  '\ufeffmark',
  'soft\u00adhyphen',
  'zero\u200bwidth',
  '\uffff',
  '𝒳',
];
const NUMBERS = [0.1 + 0.2, 1e-7, 1e21, -1e-300, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MAX_VALUE];

async function metadataOf(stage: StoreStage, id: string): Promise<Record<string, unknown>> {
  const found = (await stage.search()).find((one) => one.id === id);
  const { distance: _, ...own } = present(found, `document ${id}`).metadata;
  return own;
}

/** What comes back is what went in: odd texts, numbers and shapes. */
export const contentCases: readonly StoreCase[] = [
  {
    id: 'vs.add.unicode',
    title: 'texts, metadata and ids of any script come back code point by code point, unlike forms of one letter too',
    async run(stage) {
      await stage.add(...UNICODE.map((text) => doc(`id ${text}`, { text, [text]: 1 }, text)));
      const found = await stage.search();
      const expected = UNICODE.map((text) => [`id ${text}`, text, text, 1]);
      const actual = found.map(({ id, text = '', metadata }) => [id, text, metadata['text'], metadata[text]]);
      const byId = (a: unknown[], b: unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);
      checkEqual(actual.toSorted(byId), expected.toSorted(byId), 'ids, texts and metadata');
    },
  },
  {
    id: 'vs.add.half-surrogate',
    title: 'half a surrogate pair comes back, or is refused with a typed error',
    async run(stage) {
      const text = 'half \ud83d of it';
      try {
        await stage.add(doc('a', { v: text }, text));
      } catch (error) {
        checkCode(error, ['invalid_argument', 'store_write'], 'half a surrogate pair');
        return;
      }
      const [found] = await stage.search();
      checkEqual([found?.text, found?.metadata['v']], [text, text], 'text and metadata');
    },
  },
  {
    id: 'vs.add.empty-text',
    title: 'an empty text comes back empty',
    async run(stage) {
      await stage.add(doc('a', {}, ''), doc('b', {}, ' '));
      const texts = (await stage.search()).map(({ id, text }) => [id, text]);
      checkEqual(
        texts.toSorted(),
        [
          ['a', ''],
          ['b', ' '],
        ],
        'texts',
      );
    },
  },
  {
    id: 'vs.add.numbers',
    title: 'numbers come back exactly, small, large and broken ones',
    async run(stage) {
      await stage.add(doc('a', { numbers: NUMBERS, zero: 0 }));
      checkEqual(await metadataOf(stage, 'a'), { numbers: NUMBERS, zero: 0 }, 'metadata');
    },
  },
  {
    id: 'vs.add.large-metadata',
    title: 'metadata with many keys and deep nesting come back whole',
    async run(stage) {
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key ${index}`, index]));
      let deep: Record<string, unknown> = { end: true };
      for (let depth = 0; depth < 50; depth++) deep = { deep, list: [depth] };
      const metadata = JSON.parse(JSON.stringify({ ...many, deep }));
      await stage.add(doc('a', metadata));
      checkEqual(await metadataOf(stage, 'a'), metadata, 'metadata');
    },
  },
  {
    id: 'vs.add.reserved-keys',
    title: 'metadata may be called like the parts of a document and of its table',
    async run(stage) {
      const metadata = { id: 'x', text: 'y', content: 'z', embedding: [1], metadata: { id: 1 }, score: 9, vector: 'v' };
      await stage.add(doc('a', metadata, 'the text'));
      checkEqual(await metadataOf(stage, 'a'), metadata, 'metadata');
      const [found] = await stage.search();
      checkEqual([found?.id, found?.text], ['a', 'the text'], 'id and text');
    },
  },
  {
    id: 'vs.add.long-id',
    title:
      'an id of 500 or 10,000 characters is kept whole, or refused with a typed error, and nothing of the batch is written',
    async run(stage, random) {
      for (const length of [499, 9_999]) {
        // Not one that an engine could pack.
        const start = Array.from({ length }, () => random.below(36).toString(36)).join('');
        const ids = [`${start}1`, `${start}2`];
        try {
          await stage.add(doc('short'), ...ids.map((id) => doc(id)));
        } catch (error) {
          checkCode(error, ['invalid_argument', 'store_write'], 'a long id');
          checkEqual(await stage.ids(), [], 'ids after a batch that was refused');
          continue;
        }
        checkEqual((await stage.ids()).toSorted(), [...ids, 'short'].toSorted(), 'ids');
        await stage.store.delete([ids[0] ?? '', 'short']);
        await stage.settle();
        checkEqual(await stage.ids(), [ids[1]], 'ids after delete');
        await stage.store.delete(ids);
        await stage.settle();
      }
    },
  },
];

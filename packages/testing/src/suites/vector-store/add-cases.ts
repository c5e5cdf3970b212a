import type { Document } from '@vernal/core';
import { check, checkEqual, present, rejectsWith } from '../kernel/assertions.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

const METADATA = {
  text: 'ein Wört €',
  empty: '',
  whole: 42,
  negative: -7.25,
  large: 9007199254740991,
  yes: true,
  no: false,
  list: ['a', 1, false, null],
  nested: { deep: { er: [1, { x: 'y' }] } },
  date: '2025-03-01T12:00:00.000Z',
  'dotted.key': 1,
  dotted: { key: 2, 'other.key': [3] },
};

/** What was stored, without what a search adds. */
function stored({ metadata, text }: Document): unknown {
  const { distance: _, ...own } = metadata;
  return { text, metadata: own };
}

export const addCases: readonly StoreCase[] = [
  {
    id: 'vs.capabilities.plain-data',
    title: 'the store has a name, and capabilities that are plain data',
    async run({ store }) {
      check(store.name !== '', 'name must not be empty');
      checkEqual(JSON.parse(JSON.stringify(store.capabilities)), store.capabilities, 'capabilities after JSON');
    },
  },
  {
    id: 'vs.add.round-trip',
    title: 'text and metadata come back equal, whatever JSON they are',
    async run(stage) {
      await stage.add(doc('a', METADATA, ' Ein\tText\n mit €, 😀 und {"json": true} '), doc('b'));
      const found = await stage.search();
      const a = present(
        found.find((one) => one.id === 'a'),
        'document a',
      );
      checkEqual(stored(a), { text: ' Ein\tText\n mit €, 😀 und {"json": true} ', metadata: METADATA }, 'document a');
      const b = present(
        found.find((one) => one.id === 'b'),
        'document b',
      );
      checkEqual(stored(b), { text: 'text of b', metadata: {} }, 'document b');
    },
  },
  {
    id: 'vs.add.null-metadata',
    title: 'null in the metadata comes back as null',
    async run(stage) {
      await stage.add(doc('a', { nothing: null, list: [null] }));
      checkEqual(
        stored(present((await stage.search())[0], 'document a')),
        { text: 'text of a', metadata: { nothing: null, list: [null] } },
        'document a',
      );
    },
  },
  {
    id: 'vs.add.upsert',
    title: 'adding an id again replaces text, metadata and vector',
    async run(stage) {
      await stage.add(doc('a', { old: 1, same: 1 }, 'apples and pears'), doc('b', {}, 'nothing else'));
      await stage.add(doc('a', { same: 2 }, 'engines of ships'));
      const [first, ...rest] = await stage.search({ query: 'engines of ships' });
      checkEqual(
        stored(present(first, 'document a')),
        { text: 'engines of ships', metadata: { same: 2 } },
        'document a',
      );
      checkEqual(
        rest.map((one) => one.id),
        ['b'],
        'the other documents',
      );
    },
  },
  {
    id: 'vs.add.twice-in-batch',
    title: 'an id twice in one batch is refused, and nothing of the batch is written',
    async run(stage) {
      const batch = [doc('b'), doc('a', { n: 1 }, 'first'), doc('a', { n: 2 }, 'second')];
      await rejectsWith(() => stage.add(...batch), 'invalid_argument', 'the batch');
      checkEqual(await stage.ids(), [], 'documents');
    },
  },
  {
    id: 'vs.add.empty',
    title: 'adding nothing is nothing to do',
    async run(stage) {
      await stage.add();
      checkEqual(await stage.ids(), [], 'documents');
    },
  },
  {
    id: 'vs.add.batches',
    title: 'more documents than one write takes all land',
    async run(stage) {
      const count = Math.min((stage.store.capabilities.maxBatch ?? 200) * 2 + 3, 503);
      const documents = Array.from({ length: count }, (_, index) => doc(`d${index}`, { index }));
      await stage.add(...documents);
      checkEqual((await stage.ids()).toSorted(), documents.map((one) => one.id).toSorted(), 'ids');
    },
  },
  {
    id: 'vs.add.concurrent',
    title: 'writes at the same time all land',
    async run(stage) {
      const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
      await Promise.all(names.map((id) => stage.store.add([doc(id), doc(`${id}-too`)])));
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), names.flatMap((id) => [id, `${id}-too`]).toSorted(), 'ids');
    },
  },
  {
    id: 'vs.add.input-kept',
    title: 'documents that are added are not changed',
    async run(stage) {
      const given = doc('a', METADATA);
      const before = JSON.stringify(given);
      await stage.add(Object.freeze(given));
      checkEqual(JSON.stringify(given), before, 'the document');
    },
  },
  {
    id: 'vs.add.own-copy',
    title: 'a document that was found is the caller’s: changing it changes nothing in the store',
    async run(stage) {
      await stage.add(doc('a', { list: [1, 2] }));
      const [found] = await stage.search();
      const list: unknown = present(found, 'document a').metadata['list'];
      if (Array.isArray(list) && !Object.isFrozen(list)) list.push('changed');
      checkEqual(
        present((await stage.search())[0], 'document a').metadata['list'],
        [1, 2],
        'metadata of the next search',
      );
    },
  },
  {
    id: 'vs.write.stream',
    title: 'write() takes a list or an async iterable',
    async run(stage) {
      async function* documents(): AsyncGenerator<Document> {
        for (let index = 0; index < 5; index++) yield doc(`s${index}`);
      }
      await stage.store.write(documents());
      await stage.store.write([doc('list')]);
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), ['list', 's0', 's1', 's2', 's3', 's4'], 'ids');
    },
  },
];

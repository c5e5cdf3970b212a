import type { Document } from '@vernal/core';
import type { VectorStore } from '@vernal/vector-store';
import { checkEqual } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreCase } from './store-case.js';
import type { StoreStage } from './store-stage.js';
import { doc } from './store-stage.js';

async function idsIn(store: VectorStore): Promise<string[]> {
  return (await store.similaritySearch({ query: 'anything', topK: 1000 })).map((one) => one.id).toSorted();
}

async function reopened(stage: StoreStage): Promise<VectorStore> {
  if (stage.reopen === undefined) return notDeclared("the suite was given no 'reopen': the data end with the store");
  // What another store needs has to be there, also where it comes before the first operation.
  await stage.store.initialize?.();
  return stage.reopen();
}

/** Stores beside each other: over the same data, and over other data of the same engine. */
export const sharingCases: readonly StoreCase[] = [
  {
    id: 'vs.sharing.collections',
    title: 'stores over different collections do not see, replace or delete what the other has',
    async run(stage) {
      const other = await stage.other();
      await stage.add(doc('a', { of: 'first' }), doc('same', { of: 'first' }));
      await other.add([doc('b', { of: 'second' }), doc('same', { of: 'second' })]);
      await stage.settle();
      checkEqual(await idsIn(other), ['b', 'same'], 'documents of the second store');
      await other.delete(['a', 'same']);
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), ['a', 'same'], 'documents of the first store');
      checkEqual(
        (await stage.search()).map((one) => one.metadata['of']),
        ['first', 'first'],
        'metadata of the first store',
      );
    },
  },
  {
    id: 'vs.sharing.close',
    title: 'closing a store leaves others of the same client at work',
    async run(stage) {
      const other = await stage.other();
      await other.add([doc('b')]);
      await other.close?.();
      await stage.add(doc('a'));
      checkEqual(await stage.ids(), ['a'], 'documents of the store that is open');
    },
  },
  {
    id: 'vs.sharing.reopen',
    title: 'another store over the same data finds what is there, and what it writes is found',
    async run(stage) {
      await stage.add(doc('a', { n: 1 }));
      const again = await reopened(stage);
      checkEqual(await idsIn(again), ['a'], 'documents that were there');
      await again.add([doc('a', { n: 2 }), doc('b')]);
      await stage.settle();
      const found = await stage.search();
      checkEqual(found.map((one) => one.id).toSorted(), ['a', 'b'], 'documents');
      checkEqual(found.find((one) => one.id === 'a')?.metadata['n'], 2, 'metadata of a');
    },
  },
  {
    id: 'vs.init.once',
    title: 'initialising again, and several times at once, keeps what is there',
    async run(stage) {
      await stage.add(doc('a'));
      const stores = await Promise.all([reopened(stage), reopened(stage), reopened(stage)]);
      await Promise.all([...stores, stage.store].flatMap((store) => [store.initialize?.(), store.initialize?.()]));
      for (const store of stores) checkEqual(await idsIn(store), ['a'], 'documents');
    },
  },
  {
    id: 'vs.sharing.writers',
    title: 'two stores that replace the same documents at once leave each of them whole',
    async run(stage) {
      const again = await reopened(stage);
      const batch = (of: string): Document[] =>
        Array.from({ length: 20 }, (_, index) => doc(`d${index}`, { of }, `text ${of}`));
      await Promise.all([
        ...['a', 'b', 'c'].map((of) => stage.store.add(batch(of))),
        ...['d', 'e'].map((of) => again.add(batch(of).toReversed())),
      ]);
      await stage.settle();
      const found = await stage.search();
      checkEqual(found.length, 20, 'documents');
      checkEqual(
        found.filter(({ text, metadata }) => text !== `text ${metadata['of']}`).map((one) => one.id),
        [],
        'documents whose text and metadata are of different writers',
      );
    },
  },
];

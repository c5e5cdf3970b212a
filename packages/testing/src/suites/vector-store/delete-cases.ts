import { UnsupportedCapabilityError } from '@vernal/core';
import { filter } from '@vernal/vector-store';
import { check, checkEqual, rejection, rejectsWith } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

const three = [doc('a', { n: 1 }), doc('b', { n: 2 }), doc('c', { n: 3 })];

export const deleteCases: readonly StoreCase[] = [
  {
    id: 'vs.delete.ids',
    title: 'ids are deleted, others stay',
    async run(stage) {
      await stage.add(...three);
      await stage.store.delete(['a', 'c']);
      await stage.settle();
      checkEqual(await stage.ids(), ['b'], 'what is left');
    },
  },
  {
    id: 'vs.delete.unknown',
    title: 'unknown ids are no error, and no id deletes nothing',
    async run(stage) {
      await stage.add(...three);
      await stage.store.delete(['nobody', 'b']);
      await stage.store.delete([]);
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), ['a', 'c'], 'what is left');
    },
  },
  {
    id: 'vs.delete.count',
    title: 'the count is of what was there',
    async run(stage) {
      if (!stage.store.capabilities.deleteCount) notDeclared('deleteCount is not declared');
      await stage.add(...three);
      checkEqual((await stage.store.delete(['a', 'nobody', 'b'])).deleted, 2, 'deleted');
      checkEqual((await stage.store.delete(['a'])).deleted, 0, 'deleted again');
      if (stage.store.capabilities.deleteByFilter) {
        checkEqual((await stage.store.delete({ filter: filter.eq('n', 3) })).deleted, 1, 'deleted by filter');
      }
    },
  },
  {
    id: 'vs.delete.filter',
    title: 'what a filter matches is deleted, given as text or as a tree',
    async run(stage) {
      if (!stage.store.capabilities.deleteByFilter) notDeclared('deleteByFilter is not declared');
      await stage.add(...three, doc('d', {}));
      await stage.store.delete({ filter: 'n >= 3' });
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), ['a', 'b', 'd'], 'what is left after the text');
      await stage.store.delete({ filter: filter.eq('n', 1) });
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), ['b', 'd'], 'what is left after the tree');
    },
  },
  {
    id: 'vs.delete.filter-undeclared',
    title: 'deleting by filter is refused where it is not declared',
    async run({ store }) {
      if (store.capabilities.deleteByFilter) notDeclared('deleteByFilter is declared');
      const error = await rejection(() => store.delete({ filter: 'n == 1' }), 'delete by filter');
      check(UnsupportedCapabilityError.is(error), 'it must be refused with UnsupportedCapabilityError');
    },
  },
  {
    id: 'vs.delete.blank-filter',
    title: 'a blank filter is refused, and deletes nothing',
    async run(stage) {
      await stage.add(...three);
      const codes = [
        'invalid_argument',
        ...(stage.store.capabilities.deleteByFilter ? [] : ['unsupported_capability']),
      ];
      for (const text of ['', '  \n'])
        await rejectsWith(() => stage.store.delete({ filter: text }), codes, `filter '${text}'`);
      checkEqual((await stage.ids()).length, 3, 'documents left');
    },
  },
  {
    id: 'vs.delete.add-again',
    title: 'a deleted id can be added again',
    async run(stage) {
      await stage.add(...three);
      await stage.store.delete(['a']);
      await stage.settle();
      await stage.add(doc('a', { again: true }));
      const found = (await stage.search()).find((one) => one.id === 'a');
      checkEqual(found?.metadata['again'], true, 'metadata of the new document');
    },
  },
];

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
    id: 'vs.delete.many',
    title: 'thousands of ids in one call are deleted, most of which are unknown',
    async run(stage) {
      await stage.add(...Array.from({ length: 30 }, (_, index) => doc(`d${index}`)), doc('stays'));
      const ids = Array.from({ length: 40_000 }, (_, index) => `d${index}`);
      const { deleted } = await stage.store.delete(ids);
      await stage.settle();
      checkEqual(await stage.ids(), ['stays'], 'what is left');
      if (stage.store.capabilities.deleteCount) checkEqual(deleted, 30, 'deleted');
    },
  },
  {
    id: 'vs.delete.filter-many',
    title: 'a filter deletes all that it matches among more documents than an engine gives at a time, and nothing else',
    async run(stage) {
      const { deleteByFilter, filterOperators } = stage.store.capabilities;
      if (!deleteByFilter || !filterOperators.includes('LT')) notDeclared('deleteByFilter with LT is not declared');
      // What repeats a word is ranked otherwise by engines of words.
      const documents = Array.from({ length: 1_200 }, (_, n) =>
        doc(`d${n}`, { n }, n % 100 === 0 ? 'again and again and again' : `text ${n}`),
      );
      await stage.add(...documents);
      for (const limit of [10, 800, 1_100]) {
        const filterExpression = `n < ${limit}`;
        await stage.store.delete({ filter: filterExpression });
        await stage.settle();
        checkEqual(await stage.ids({ filterExpression }), [], `documents for ${filterExpression}`);
      }
      // Counted by the engine where it counts: a search through a graph may miss one.
      const left = (await stage.ids()).length;
      const { deleted = left } = await stage.store.delete(documents.map(({ id }) => id));
      checkEqual(deleted, 100, 'documents that were left');
    },
  },
  {
    id: 'vs.delete.empty-list',
    title: 'a filter for one of no values deletes nothing',
    async run(stage) {
      const { deleteByFilter, filterOperators } = stage.store.capabilities;
      if (!deleteByFilter || !filterOperators.includes('IN')) notDeclared('deleteByFilter with IN is not declared');
      await stage.add(...three);
      await stage.store.delete({ filter: filter.in('n', []) });
      await stage.settle();
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

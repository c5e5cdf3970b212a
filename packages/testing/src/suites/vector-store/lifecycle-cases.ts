import { document, media } from '@vernal/core';
import { check, checkCode, checkEqual, rejectsWith } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';
import { HANGS } from './vector-text-model.js';

/** Writes and searches at the same time, aborts, and the end. */
export const lifecycleCases: readonly StoreCase[] = [
  {
    id: 'vs.media-undeclared',
    title: 'documents with media are refused where they are not declared',
    async run({ store }) {
      if (store.capabilities.media) notDeclared('media are declared');
      const image = document({ id: 'm', media: media('image/png', new Uint8Array([1]), { name: 'm' }) });
      await rejectsWith(
        () => store.add([image]),
        ['unsupported_capability', 'invalid_argument'],
        'a document with media',
      );
    },
  },
  {
    id: 'vs.abort.before',
    title: "a signal that has fired already gives 'aborted' and writes nothing",
    async run(stage) {
      await stage.add(doc('a'));
      const context = { signal: AbortSignal.abort() };
      await rejectsWith(() => stage.store.add([doc('b')], context), 'aborted', 'add');
      await rejectsWith(() => stage.store.delete(['a'], context), 'aborted', 'delete');
      await rejectsWith(() => stage.store.similaritySearch('x', context), 'aborted', 'search');
      await rejectsWith(() => stage.store.write([doc('c')], context), 'aborted', 'write');
      await stage.settle();
      checkEqual(await stage.ids(), ['a'], 'documents');
    },
  },
  {
    id: 'vs.abort.during-add',
    title: "an abort in the middle of an add gives 'aborted' and writes nothing; the store goes on",
    async run(stage) {
      await stage.add(doc('a'));
      const controller = new AbortController();
      const adding = stage.store.add([doc('b'), doc('c', {}, HANGS)], { signal: controller.signal });
      await stage.hanging;
      controller.abort();
      await rejectsWith(() => adding, 'aborted', 'the add');
      await stage.settle();
      checkEqual(await stage.ids(), ['a'], 'documents');
      await stage.add(doc('d'));
      checkEqual((await stage.ids()).toSorted(), ['a', 'd'], 'documents at the end');
    },
  },
  {
    id: 'vs.abort.during-search',
    title: "an abort in the middle of a search gives 'aborted'; the store goes on",
    async run(stage) {
      await stage.add(doc('a'));
      const controller = new AbortController();
      const searching = stage.store.similaritySearch(HANGS, { signal: controller.signal });
      await stage.hanging;
      controller.abort();
      await rejectsWith(() => searching, 'aborted', 'the search');
      checkEqual(await stage.ids(), ['a'], 'documents');
    },
  },
  {
    id: 'vs.abort.many',
    title: 'aborts at any time leave each add whole or not there, and the store at work',
    async run(stage, random) {
      for (let round = 0; round < 12; round++) {
        const controller = new AbortController();
        const adding = stage.store.add([doc(`a${round}`), doc(`b${round}`)], { signal: controller.signal });
        for (let turns = random.below(30); turns > 0; turns--) await Promise.resolve();
        if (random.next() < 0.5) await stage.ids();
        controller.abort();
        await adding.catch((error: unknown) => checkCode(error, 'aborted', 'an add that was aborted'));
      }
      await stage.add(doc('last'));
      const ids = await stage.ids();
      const halves = ids.filter(
        (id) => /^[ab]\d+$/.test(id) && !ids.includes(id.replace(/^./, (c) => (c === 'a' ? 'b' : 'a'))),
      );
      checkEqual(halves, [], 'documents whose other half is not there');
      check(ids.includes('last'), 'what was added at the end must be there');
    },
  },
  {
    id: 'vs.add.while-searching',
    title: 'searches while documents are written find whole documents only',
    async run(stage) {
      const adding = Array.from({ length: 10 }, (_, index) =>
        stage.store.add([
          doc(`a${index}`, { of: index }, `text ${index}`),
          doc(`b${index}`, { of: index }, `text ${index}`),
        ]),
      );
      const searches = Array.from({ length: 10 }, () => stage.search());
      const [answers] = await Promise.all([Promise.all(searches), Promise.all(adding)]);
      for (const found of answers) {
        for (const { id, text, metadata } of found)
          checkEqual([id.slice(1), text], [`${metadata['of']}`, `text ${metadata['of']}`], `document ${id}`);
      }
      await stage.settle();
      checkEqual((await stage.ids()).length, 20, 'documents at the end');
    },
  },
  {
    id: 'vs.consistency',
    title: 'a store whose consistency is strong finds what was written at once',
    async run(stage) {
      const { store } = stage;
      if (store.capabilities.consistency === 'eventual') notDeclared('consistency is declared eventual');
      for (let round = 0; round < 3; round++) {
        await store.add([doc('a', { round })]);
        checkEqual((await stage.search())[0]?.metadata['round'], round, 'metadata after adding');
      }
      await store.delete(['a']);
      checkEqual(await stage.ids(), [], 'documents after deleting');
    },
  },
  {
    id: 'vs.close.twice',
    title: 'closing twice is closing once',
    async run({ store }) {
      if (store.close === undefined) notDeclared('the store has nothing to close');
      await store.close();
      await store.close();
    },
  },
  {
    id: 'vs.close.use-after',
    title: 'a closed store refuses work',
    async run({ store }) {
      if (store.close === undefined) notDeclared('the store has nothing to close');
      await store.add([doc('a')]);
      await store.close();
      await rejectsWith(() => store.add([doc('b')]), 'invalid_state', 'add');
      await rejectsWith(() => store.delete(['a']), 'invalid_state', 'delete');
      await rejectsWith(() => store.similaritySearch('x'), 'invalid_state', 'search');
    },
  },
];

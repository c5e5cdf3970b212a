import { document, media, UnsupportedCapabilityError } from '@vernal/core';
import type { SearchMode } from '@vernal/vector-store';
import { check, checkEqual, rejection, rejectsWith, show } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

const MODES: readonly SearchMode[] = ['vector', 'keyword', 'hybrid'];

async function checkRefused(run: () => unknown, what: string): Promise<void> {
  const error = await rejection(run, what);
  check(
    UnsupportedCapabilityError.is(error),
    `${what} must be refused with UnsupportedCapabilityError, got ${show(error)}`,
  );
}

/** Modes, aborts, and the end. */
export const lifecycleCases: readonly StoreCase[] = [
  {
    id: 'vs.modes',
    title: 'declared modes of searching work, others are refused',
    async run(stage) {
      await stage.add(doc('a', {}, 'engines of ships'), doc('b', {}, 'birds in autumn'));
      const { modes } = stage.store.capabilities;
      for (const mode of MODES) {
        if (modes.includes(mode))
          checkEqual((await stage.ids({ query: 'engines', mode }))[0], 'a', `the nearest by ${mode}`);
        else await checkRefused(() => stage.search({ mode }), `mode ${mode}`);
      }
    },
  },
  {
    id: 'vs.mmr',
    title: 'maximal marginal relevance spreads, or is refused',
    async run(stage) {
      const request = { query: 'ships at sea', topK: 2, mmr: { lambda: 0.3, fetchK: 10 } };
      if (!stage.store.capabilities.mmr) return checkRefused(() => stage.search(request), 'mmr');
      const twin = 'ships at sea today';
      await stage.add(
        doc('a', {}, twin),
        doc('a2', {}, twin),
        doc('b', {}, 'ships in harbour'),
        doc('c', {}, 'potatoes'),
      );
      const ids = await stage.ids(request);
      checkEqual(new Set(ids).size, 2, 'different documents');
      check(!(ids.includes('a') && ids.includes('a2')), `twins must not both be found, got ${ids.join(', ')}`);
    },
  },
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

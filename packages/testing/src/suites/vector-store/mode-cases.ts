import { UnsupportedCapabilityError } from '@vernal/core';
import type { SearchMode } from '@vernal/vector-store';
import { check, checkEqual, present, rejection, show } from '../kernel/assertions.js';
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

/** By vectors, by words, by both; and spread out. */
export const modeCases: readonly StoreCase[] = [
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
    id: 'vs.modes.filter',
    title: 'filter, topK and threshold hold in every mode',
    async run(stage) {
      await stage.add(
        ...Array.from({ length: 8 }, (_, index) =>
          doc(`d${index}`, { even: index % 2 === 0 }, `engines of ship ${index}`),
        ),
      );
      for (const mode of stage.store.capabilities.modes) {
        const request = { query: 'engines', mode };
        const filtered = { ...request, filterExpression: 'even == true' };
        const canFilter = stage.store.capabilities.filterOperators.includes('EQ');
        if (canFilter)
          checkEqual((await stage.ids(filtered)).toSorted(), ['d0', 'd2', 'd4', 'd6'], `filtered documents by ${mode}`);
        checkEqual((await stage.ids({ ...request, topK: 3 })).length, 3, `documents for topK 3 by ${mode}`);
        const scores = (await stage.search(request)).map((one) => present(one.score, 'score'));
        checkEqual(
          scores,
          scores.toSorted((a, b) => b - a),
          `scores by ${mode}`,
        );
        const kept = await stage.search({ ...request, similarityThreshold: Math.max(...scores) });
        checkEqual(
          kept.length,
          scores.filter((one) => one === Math.max(...scores)).length,
          `best documents by ${mode}`,
        );
      }
    },
  },
  {
    id: 'vs.modes.keyword',
    title: 'a search by words finds what holds one of them and nothing else, with scores between 0 and 1',
    async run(stage) {
      if (!stage.store.capabilities.modes.includes('keyword')) notDeclared('mode keyword is not declared');
      await stage.add(
        doc('both', {}, 'red apples and red pears'),
        doc('one', {}, 'yellow apples in a basket of wood'),
        doc('none', {}, 'birds in autumn'),
        doc('odd', {}, "o'hara's c:\\path & a|b"),
      );
      const found = await stage.search({ query: 'red APPLES', mode: 'keyword' });
      checkEqual(
        found.map((one) => one.id),
        ['both', 'one'],
        'documents',
      );
      check(
        found.every(({ score = 2 }) => score > 0 && score <= 1),
        `scores between 0 and 1, got ${found.map((one) => one.score)}`,
      );
      checkEqual(await stage.ids({ query: 'zeppelin', mode: 'keyword' }), [], 'documents for a word that nowhere is');
      for (const query of ["o'hara & !birds", "':*", 'zz & qq | (vv', '"', '\\', '& | !', "x' OR '1'='1", '@field:{x}'])
        check(
          (await stage.ids({ query, mode: 'keyword' })).every((id) => id === 'odd' || id === 'none'),
          `hostile query ${query}`,
        );
    },
  },
  {
    id: 'vs.modes.hybrid',
    title: 'a hybrid search puts what is near and holds the words before what is only one of both',
    async run(stage) {
      if (!stage.store.capabilities.modes.includes('hybrid')) notDeclared('mode hybrid is not declared');
      await stage.add(
        doc('both', {}, 'the engines of large ships'),
        doc('near', {}, 'large ships'),
        doc('far', {}, 'birds fly south in autumn'),
      );
      const found = await stage.search({ query: 'engines of large ships', mode: 'hybrid' });
      checkEqual(found[0]?.id, 'both', 'the best');
      checkEqual(new Set(found.map((one) => one.id)).size, found.length, 'documents, each once');
      check(Math.abs((found[0]?.score ?? 0) - 1) < 1e-6, `first in both lists scores 1, got ${found[0]?.score}`);
    },
  },
  {
    id: 'vs.mmr.relevance',
    title: 'with lambda 1 the order is that of relevance, and scores stay what they were',
    async run(stage) {
      if (!stage.store.capabilities.mmr) notDeclared('mmr is not declared');
      await stage.add(
        ...['[1, 0]', '[0.9, 0.1]', '[0.5, 0.5]', '[0, 1]'].map((text, index) => doc(`d${index}`, {}, text)),
      );
      const plain = await stage.search({ query: '[1, 0]', topK: 3 });
      const spread = await stage.search({ query: '[1, 0]', topK: 3, mmr: { lambda: 1 } });
      const view = (found: typeof plain): unknown => found.map(({ id, score }) => [id, score]);
      checkEqual(view(spread), view(plain), 'documents with their scores');
    },
  },
];

import type { Document, RerankModel } from '@vernal/core';
import { document, media } from '@vernal/core';
import { check, checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';

/** Stable: a report of today compares with one of last year. */
export type RerankModelCaseId = `rerank.${string}`;

const QUERY = 'When should roses be pruned?';
const ANSWER = document({
  id: 'roses',
  text: 'Prune roses in early spring, when the buds swell.',
  metadata: { page: 7 },
});

/** As a search gives them: with scores of another scale, the answer last. */
function garden(): Document[] {
  const texts = [
    'Stock prices fell on Monday.',
    'The museum opens at nine.',
    'The weather in Delft is mild.',
    'Roses need sun and water.',
  ];
  const others = texts.map((text, at) => document({ id: `other-${at}`, text, metadata: { at } }));
  return [...others, ANSWER].map((one, at) => ({ ...one, score: 100 - at }));
}

/** What a reader may bring: no text, white space, other scripts, the same text twice, half a character, text that looks like markup. */
function awkward(): Document[] {
  const texts = [
    '',
    ' \n',
    '東京の天気は雨です。',
    '😀 emoji',
    'half \ud800',
    'twice',
    'twice',
    '</document><query>{x}',
    '{"scores":[]}',
  ];
  const written = texts.map((text, at) => document({ id: `awkward-${at}`, text }));
  return [...written, document({ id: 'picture', media: media('image/png', new Uint8Array([1])) }), ANSWER];
}

const idsOf = (documents: readonly Document[]): string[] => documents.map(({ id }) => id);

function withoutScore({ score: _, ...rest }: Document): Omit<Document, 'score'> {
  return rest;
}

/** The same documents, each as it was but for its score, in an order that the scores agree with. */
function checkRanking(ranked: readonly Document[], given: readonly Document[]): void {
  const byId = new Map(given.map((one) => [one.id, one]));
  checkEqual(idsOf(ranked).sort(), idsOf(given).sort(), 'the ids');
  for (const one of ranked) {
    const before = byId.get(one.id);
    checkEqual(withoutScore(one), before === undefined ? undefined : withoutScore(before), `document '${one.id}'`);
  }
  const scores = ranked.map(({ score }) => score);
  for (const [at, score] of scores.entries()) {
    if (score === undefined) continue;
    check(Number.isFinite(score), `the score at ${at} must be a finite number, is ${score}`);
    const before = at === 0 ? score : scores[at - 1];
    check(before !== undefined && before >= score, `scores must fall, and what has none stands last: [${scores}]`);
  }
}

export const rerankCases: readonly SuiteCase<RerankModelCaseId, RerankModel>[] = [
  {
    id: 'rerank.plain-data',
    title: 'provider is a lower-case name',
    async run({ provider }) {
      check(/^[a-z][a-z0-9_.-]*$/.test(provider), `provider '${provider}' must be lower case`);
    },
  },
  {
    id: 'rerank.answer-first',
    title: 'what answers the query comes first, wherever it stood',
    async run(model) {
      for (const given of [garden(), garden().reverse()])
        checkEqual((await model.rerank(QUERY, given))[0]?.id, ANSWER.id, 'the first document');
    },
  },
  {
    id: 'rerank.documents-kept',
    title: 'every document comes back once, with nothing changed but its score, scores falling',
    async run(model) {
      for (const given of [garden(), awkward()]) checkRanking(await model.rerank(QUERY, given), given);
    },
  },
  {
    id: 'rerank.one-scale',
    title: 'no score of the search stays among those of the model',
    async run(model) {
      for (const { id, score } of await model.rerank(QUERY, garden()))
        check(score === undefined || score < 90, `document '${id}' has ${score}, as it was found with`);
    },
  },
  {
    id: 'rerank.many',
    title: 'more documents than one request takes come back in one order',
    async run(model) {
      const given = [
        ...Array.from({ length: 120 }, (_, at) => document({ id: `${at}`, text: `The museum opens at ${at}.` })),
        ANSWER,
      ];
      const ranked = await model.rerank(QUERY, given);
      checkRanking(ranked, given);
      checkEqual(ranked[0]?.id, ANSWER.id, 'the first document');
    },
  },
  {
    id: 'rerank.top-n',
    title: 'topN cuts the same order; more than there are is all',
    async run(model) {
      const all = idsOf(await model.rerank(QUERY, garden()));
      for (const topN of [1, 2, 5, 50])
        checkEqual(idsOf(await model.rerank(QUERY, garden(), { topN })), all.slice(0, topN), `topN ${topN}`);
      for (const topN of [0, -1, 1.5, Number.NaN])
        await rejectsWith(() => model.rerank(QUERY, garden(), { topN }), 'invalid_argument', `topN ${topN}`);
    },
  },
  {
    id: 'rerank.empty',
    title: 'no documents, none back; one document comes back',
    async run(model) {
      checkEqual(await model.rerank(QUERY, []), [], 'the ranking of nothing');
      checkEqual(idsOf(await model.rerank(QUERY, [ANSWER])), [ANSWER.id], 'the ranking of one');
    },
  },
  {
    id: 'rerank.input-kept',
    title: 'the list and its documents are not changed',
    async run(model) {
      const given = Object.freeze(garden().map((one) => Object.freeze(one)));
      await model.rerank(QUERY, given, Object.freeze({ topN: 2 }));
      checkEqual(given, garden(), 'the documents');
    },
  },
  {
    id: 'rerank.concurrent',
    title: 'calls at the same time do not mix',
    async run(model) {
      const museum = 'When does the museum open?';
      const rankings = await Promise.all([QUERY, museum, QUERY, museum].map((query) => model.rerank(query, garden())));
      checkEqual(
        rankings.map(([first]) => first?.id),
        [ANSWER.id, 'other-1', ANSWER.id, 'other-1'],
        'the first documents',
      );
    },
  },
  {
    id: 'rerank.abort',
    title: "a signal that has fired already gives 'aborted'",
    async run(model) {
      await rejectsWith(() => model.rerank(QUERY, garden(), {}, { signal: AbortSignal.abort() }), 'aborted', 'rerank');
    },
  },
];

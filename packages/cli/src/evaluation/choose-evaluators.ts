import type { Document, EmbeddingModel } from '@vernal/core';
import {
  AnswerCorrectnessEvaluator,
  AnswerSimilarityEvaluator,
  ContainsEvaluator,
  ContextPrecisionEvaluator,
  ContextRecallEvaluator,
  type EvaluationCase,
  type Evaluator,
  ExactMatchEvaluator,
  FactCheckingEvaluator,
  FaithfulnessEvaluator,
  RelevancyEvaluator,
  RetrievalEvaluator,
  type RetrievalMetricName,
} from '@vernal/evaluation';
import type { Writer } from '../models/writer.js';
import { usageError } from '../usage-error.js';

type Need = 'judge' | 'documents' | 'reference' | 'relevant';

/** What there is to judge by. */
export interface Given {
  readonly cases: readonly EvaluationCase<string>[];
  /** Is there a model that can judge? */
  readonly hasJudge: boolean;
  readonly hasDocuments: boolean;
}

/** What evaluators are made with. */
export interface Judging {
  /** Asked only by those that need a judge. */
  judge(): Writer;
  embeddingModel(): Promise<EmbeddingModel>;
}

/** An evaluator that may be had. */
export interface EvaluatorChoice {
  readonly name: string;
  make(judging: Judging): Promise<Evaluator>;
}

/** What was chosen. */
export interface EvaluatorChoices {
  readonly chosen: readonly EvaluatorChoice[];
  /** A sentence for each that would have been taken, had all questions what it needs as some of them do. */
  readonly leftOut: readonly string[];
}

interface Kind {
  readonly needs: readonly Need[];
  make(judging: Judging): Evaluator | Promise<Evaluator>;
}

const kinds: Readonly<Record<string, Kind>> = {
  relevancy: { needs: ['judge', 'documents'], make: ({ judge }) => new RelevancyEvaluator(judge()) },
  'fact-checking': { needs: ['judge', 'documents'], make: ({ judge }) => new FactCheckingEvaluator(judge()) },
  faithfulness: { needs: ['judge', 'documents'], make: ({ judge }) => new FaithfulnessEvaluator(judge()) },
  'context-precision': {
    needs: ['judge', 'documents', 'reference'],
    make: ({ judge }) => new ContextPrecisionEvaluator(judge()),
  },
  'context-recall': {
    needs: ['judge', 'documents', 'reference'],
    make: ({ judge }) => new ContextRecallEvaluator(judge()),
  },
  'answer-correctness': {
    needs: ['judge', 'reference'],
    make: ({ judge }) => new AnswerCorrectnessEvaluator(judge()),
  },
  'answer-similarity': {
    needs: ['reference'],
    make: async (judging) => new AnswerSimilarityEvaluator({ embeddingModel: await judging.embeddingModel() }),
  },
  contains: { needs: ['reference'], make: () => new ContainsEvaluator() },
  'exact-match': { needs: ['reference'], make: () => new ExactMatchEvaluator() },
};
const METRIC = /^(?:(?:recall|precision|hit|ndcg)@[1-9]\d{0,5}|mrr|map)$/;
const METRIC_EXAMPLES = ['recall@5', 'precision@5', 'hit@5', 'ndcg@5', 'mrr', 'map'];
/** Taken where nothing was chosen, and what they need is there for every question. */
const DEFAULTS = ['relevancy', 'answer-similarity', 'recall@5', 'mrr'];

const WITHOUT: Readonly<Record<Need, (name: string) => string>> = {
  judge: (name) => `${name} asks a model, and the embedded one only quotes: name another with --judge provider:name`,
  documents: (name) => `${name} is about documents: give some with --docs PATH or --store FILE`,
  reference: (name) => `${name} needs a reference with every question: write them into the file, or leave it out`,
  relevant: (name) => `${name} needs relevant sources with every question: write them into the file, or leave it out`,
};

/** The evaluators that were named; without names those that the file and the models allow. */
export function chooseEvaluators(names: readonly string[], given: Given): EvaluatorChoices {
  if (names.length === 0) return standardChoices(given);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usageError(`--evaluators names ${twice} twice`, 'evaluators');
  const chosen = names.map((name) => {
    const kind = kindOf(name);
    const missing = missingFor(kind, given);
    if (missing !== undefined) throw usageError(WITHOUT[missing](name), 'evaluators');
    return choiceOf(name, kind);
  });
  return { chosen, leftOut: [] };
}

function standardChoices(given: Given): EvaluatorChoices {
  const offered = DEFAULTS.map((name) => ({ name, kind: kindOf(name) }));
  const missing = new Map(offered.map(({ name, kind }) => [name, missingFor(kind, given)]));
  const chosen = offered.filter(({ name }) => missing.get(name) === undefined);
  if (chosen.length === 0) {
    throw usageError(
      'Nothing can be judged: give every question a reference or relevant sources, or name a judge with --judge',
      'evaluators',
    );
  }
  const leftOut = offered.flatMap(({ name }) => {
    const need = missing.get(name);
    if (need !== 'reference' && need !== 'relevant') return [];
    const without = given.cases.filter((one) => one[need] === undefined).length;
    return without === given.cases.length ? [] : leftOutSentence(name, need, without);
  });
  return { chosen: chosen.map(({ name, kind }) => choiceOf(name, kind)), leftOut };
}

function leftOutSentence(name: string, need: 'reference' | 'relevant', without: number): string {
  const what = need === 'reference' ? 'reference' : 'relevant sources';
  return `${name} is left out, since ${without} of the questions ${without === 1 ? 'has' : 'have'} no ${what}`;
}

function kindOf(name: string): Kind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind !== undefined) return kind;
  if (METRIC.test(name)) {
    const metric = name as RetrievalMetricName;
    return { needs: ['documents', 'relevant'], make: () => new RetrievalEvaluator({ metric, keyOf: sourceOf }) };
  }
  const known = [...Object.keys(kinds), ...METRIC_EXAMPLES].join(', ');
  throw usageError(`There is no evaluator '${name}': there are ${known}`, 'evaluators');
}

function choiceOf(name: string, { make }: Kind): EvaluatorChoice {
  return { name, make: async (judging) => make(judging) };
}

function missingFor({ needs }: Kind, { cases, hasJudge, hasDocuments }: Given): Need | undefined {
  const isThere: Readonly<Record<Need, boolean>> = {
    judge: hasJudge,
    documents: hasDocuments,
    reference: cases.every(({ reference }) => reference !== undefined),
    relevant: cases.every(({ relevant }) => relevant !== undefined),
  };
  return needs.find((need) => !isThere[need]);
}

/** As answers name it. */
function sourceOf({ id, metadata }: Document): string {
  return typeof metadata['source'] === 'string' ? metadata['source'] : id;
}

import type { JsonValue, StructuredOutputConverter } from '@vernal/core';
import { answerList } from './answer-json.js';

/** What the model scores from and to. Whole numbers that a model can tell apart. */
export const MOST_RELEVANT = 10;

function field(entry: JsonValue, name: string): unknown {
  return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, name)
    ? Reflect.get(entry, name)
    : undefined;
}

/** Models write '3' and 3. */
function numberOf(value: unknown): number {
  return typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : typeof value === 'number'
      ? value
      : Number.NaN;
}

/**
 * Reads scores of numbered documents, from 0 to 1. What is no number is left out, scores beyond the scale are brought to its end, of two
 * for one document the first counts. Which numbers there are, the reader of the map knows.
 */
export const relevanceConverter: StructuredOutputConverter<ReadonlyMap<number, number>> = {
  format: 'Write JSON and nothing else: {"scores": [{"index": 1, "score": 7}, …]}, one entry for each document.',
  jsonSchema: {
    type: 'object',
    properties: {
      scores: {
        type: 'array',
        items: {
          type: 'object',
          properties: { index: { type: 'integer' }, score: { type: 'integer' } },
          required: ['index', 'score'],
          additionalProperties: false,
        },
      },
    },
    required: ['scores'],
    additionalProperties: false,
  },
  convert: (answer) => {
    const scores = new Map<number, number>();
    for (const entry of answerList(answer, 'scores') ?? []) {
      const index = numberOf(field(entry, 'index'));
      const score = numberOf(field(entry, 'score'));
      if (Number.isNaN(index) || Number.isNaN(score) || scores.has(index)) continue;
      scores.set(index, Math.min(1, Math.max(0, score / MOST_RELEVANT)));
    }
    return scores;
  },
};

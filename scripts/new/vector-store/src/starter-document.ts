import type { Document, Metadata } from '@vernal/core';
import type { VectorMetric } from '@vernal/vector-store';
import { roundScore } from '@vernal/vector-store';

/** What a search reads of one document, with the engine's own distance. */
export interface StarterRow {
  readonly id: string;
  readonly text: string;
  readonly metadata: Metadata;
  readonly distance: number;
}

/** From the engine's distance to the score of the port: higher is nearer. Change what your engine measures otherwise. */
const SCORES: Readonly<Record<VectorMetric, (distance: number) => number>> = {
  cosine: (distance) => 1 - distance,
  dot: (distance) => 0 - distance,
  euclidean: (distance) => 1 / (1 + distance),
};

export function foundDocument({ id, text, metadata, distance }: StarterRow, metric: VectorMetric): Document {
  return {
    id,
    text,
    metadata: { ...metadata, distance },
    score: roundScore(metric, SCORES[metric](distance)),
  };
}

import type { VectorMetric } from '@vernal/vector-store';

/** How pgvector measures one metric. */
export interface PgMetric {
  readonly operator: '<=>' | '<->' | '<#>';
  /** Suffix of the operator class: `vector_cosine_ops`. */
  readonly opclass: 'cosine_ops' | 'l2_ops' | 'ip_ops';
  /** From the engine's distance to the score of the port. */
  score(distance: number): number;
}

/** Source: https://github.com/pgvector/pgvector, the part on distances; `<#>` is the negative inner product. */
export const PG_METRICS: Readonly<Record<VectorMetric, PgMetric>> = {
  cosine: { operator: '<=>', opclass: 'cosine_ops', score: (distance) => 1 - distance },
  euclidean: { operator: '<->', opclass: 'l2_ops', score: (distance) => 1 / (1 + distance) },
  dot: { operator: '<#>', opclass: 'ip_ops', score: (distance) => 0 - distance },
};

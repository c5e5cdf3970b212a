import type { EmbeddingModel } from '@vernal/core';
import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import type { EmbeddingModelCaseId } from './embedding-cases.js';
import { embeddingCases } from './embedding-cases.js';

/** Nothing beyond what every suite takes. */
export interface EmbeddingModelSuiteOptions extends SuiteOptions<EmbeddingModelCaseId> {}

/**
 * Order, counts, dimensions, batches over the model's limits, empty lists, abort. `create` is called once a case. The model must give
 * nearly the same vector for the same text; what the vectors mean is not checked.
 */
export function describeEmbeddingModel(
  name: string,
  create: () => Awaitable<Subject<EmbeddingModel>>,
  options: EmbeddingModelSuiteOptions,
): void {
  defineSuite({ suite: 'embedding-model', subject: name, cases: embeddingCases, create, options });
}

import type { RerankModel } from '@vernal/core';
import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import type { RerankModelCaseId } from './rerank-cases.js';
import { rerankCases } from './rerank-cases.js';

/** Nothing beyond what every suite takes. */
export interface RerankModelSuiteOptions extends SuiteOptions<RerankModelCaseId> {}

/**
 * Nothing lost, nothing but the score changed, best first, `topN`, empty lists, abort. `create` is called once a case. The model must put an
 * answer before a sentence about something else; how good it is beyond that is not checked.
 */
export function describeRerankModel(
  name: string,
  create: () => Awaitable<Subject<RerankModel>>,
  options: RerankModelSuiteOptions,
): void {
  defineSuite({ suite: 'rerank-model', subject: name, cases: rerankCases, create, options });
}

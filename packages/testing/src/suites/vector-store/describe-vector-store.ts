import type { SuiteOptions } from '../../runner/suite-options.js';
import { caseName } from '../kernel/case-name.js';
import { defineSuite } from '../kernel/define-suite.js';
import { addCases } from './add-cases.js';
import { deleteCases } from './delete-cases.js';
import { filterCases } from './filter-cases.js';
import { filterRuleCases } from './filter-rule-cases.js';
import { hostileCases } from './hostile-cases.js';
import { lifecycleCases } from './lifecycle-cases.js';
import { searchCases } from './search-cases.js';
import type { VectorStoreCaseId } from './store-case.js';
import type { CreateVectorStore, Settle } from './store-stage.js';
import { storeStage } from './store-stage.js';

/** How the suite waits for the engine, beside what every suite takes. */
export interface VectorStoreSuiteOptions extends SuiteOptions<VectorStoreCaseId> {
  /** Waits until writes can be found, for engines that are eventually consistent. */
  readonly settle?: Settle | undefined;
}

const cases = [
  ...addCases,
  ...searchCases,
  ...deleteCases,
  ...filterRuleCases,
  ...filterCases,
  ...hostileCases,
  ...lifecycleCases,
];

/**
 * About 50 cases: round trips, upsert, batches, score and threshold, delete, the filter oracle, hostile keys and values, abort, close.
 * `create` gives an empty store over `embeddingModel`, once a case. What `capabilities` declares must work; what it does not must be
 * refused.
 */
export function describeVectorStore(name: string, create: CreateVectorStore, options: VectorStoreSuiteOptions): void {
  const { settle, ...suite } = options;
  defineSuite({
    suite: 'vector-store',
    subject: name,
    cases,
    create: (id) => storeStage(create, caseName(id), settle),
    options: suite,
  });
}

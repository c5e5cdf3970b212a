import type { SuiteOptions } from '../../runner/suite-options.js';
import { caseName } from '../kernel/case-name.js';
import { defineSuite } from '../kernel/define-suite.js';
import { addCases } from './add-cases.js';
import { contentCases } from './content-cases.js';
import { deleteCases } from './delete-cases.js';
import { filterCases } from './filter-cases.js';
import { filterRuleCases } from './filter-rule-cases.js';
import { filterTypeCases } from './filter-type-cases.js';
import { hostileCases } from './hostile-cases.js';
import { hostileFilterCases } from './hostile-filter-cases.js';
import { lifecycleCases } from './lifecycle-cases.js';
import { modeCases } from './mode-cases.js';
import { searchCases } from './search-cases.js';
import { sharingCases } from './sharing-cases.js';
import type { VectorStoreCaseId } from './store-case.js';
import type { CreateVectorStore, ReopenVectorStore, Settle } from './store-stage.js';
import { storeStage } from './store-stage.js';
import { vectorCases } from './vector-cases.js';

/** How the suite waits for the engine, beside what every suite takes. */
export interface VectorStoreSuiteOptions extends SuiteOptions<VectorStoreCaseId> {
  /** Waits until writes can be found, for engines that are eventually consistent. */
  readonly settle?: Settle | undefined;
  /** For engines whose data outlive a store: another one over the data of `create`. Without it the cases about that are not declared. */
  readonly reopen?: ReopenVectorStore | undefined;
}

const cases = [
  ...addCases,
  ...contentCases,
  ...searchCases,
  ...vectorCases,
  ...modeCases,
  ...deleteCases,
  ...filterRuleCases,
  ...filterTypeCases,
  ...filterCases,
  ...hostileCases,
  ...hostileFilterCases,
  ...sharingCases,
  ...lifecycleCases,
];

/**
 * Some 90 cases: round trips, upsert, batches, score and threshold, modes, delete, the filter oracle, hostile keys and values, stores beside
 * each other, abort, close.
 * `create` gives an empty store over `embeddingModel`, once a case. What `capabilities` declares must work; what it does not must be
 * refused.
 */
export function describeVectorStore(name: string, create: CreateVectorStore, options: VectorStoreSuiteOptions): void {
  const { settle, reopen, ...suite } = options;
  defineSuite({
    suite: 'vector-store',
    subject: name,
    cases,
    create: (id) => storeStage(create, caseName(id), { settle, reopen }),
    options: suite,
  });
}

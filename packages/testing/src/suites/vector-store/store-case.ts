import type { SuiteCase } from '../kernel/suite-case.js';
import type { StoreStage } from './store-stage.js';

/** Stable: a report of today compares with one of last year. */
export type VectorStoreCaseId = `vs.${string}`;

export type StoreCase = SuiteCase<VectorStoreCaseId, StoreStage>;

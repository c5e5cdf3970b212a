/** The entry point `@vernal/testing/vector-store`: the suite for vector stores, and what it needs; all of it is in `@vernal/testing` too. */
export { hashingEmbeddingModel } from './doubles/hashing-embedding-model.js';
export { nodeTestRunner } from './runner/node-test-runner.js';
export type { Deviation, SuiteOptions, SuiteReport } from './runner/suite-options.js';
export type { TestRunner } from './runner/test-runner.js';
export { vitestRunner } from './runner/vitest-runner.js';
export type { VectorStoreSuiteOptions } from './suites/vector-store/describe-vector-store.js';
export { describeVectorStore } from './suites/vector-store/describe-vector-store.js';
export type { VectorStoreCaseId } from './suites/vector-store/store-case.js';
export type { CreateVectorStore, ReopenVectorStore } from './suites/vector-store/store-stage.js';

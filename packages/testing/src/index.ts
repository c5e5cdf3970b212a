export { hashingEmbeddingModel } from './doubles/hashing-embedding-model.js';
export type { RecordedObservation } from './doubles/recording-observation-registry.js';
export { RecordingObservationRegistry } from './doubles/recording-observation-registry.js';
export type { ScriptStep } from './doubles/scripted-chat-model.js';
export { ScriptedChatModel } from './doubles/scripted-chat-model.js';
export { nodeTestRunner } from './runner/node-test-runner.js';
export type { Deviation, SuiteOptions, SuiteReport } from './runner/suite-options.js';
export type { TestRunner } from './runner/test-runner.js';
export { vitestRunner } from './runner/vitest-runner.js';

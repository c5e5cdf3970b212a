/** The entry point `@vernal/testing/memory`: the suites for chat memories and their repositories, and what they need; all of it is in `@vernal/testing` too. */
export { nodeTestRunner } from './runner/node-test-runner.js';
export type { Deviation, SuiteOptions, SuiteReport } from './runner/suite-options.js';
export type { TestRunner } from './runner/test-runner.js';
export { vitestRunner } from './runner/vitest-runner.js';
export type { AppendTurnsOptions } from './suites/memory/append-turns.js';
export { appendTurns } from './suites/memory/append-turns.js';
export type { ChatMemorySuiteOptions } from './suites/memory/describe-chat-memory.js';
export { describeChatMemory } from './suites/memory/describe-chat-memory.js';
export type { MemoryDurabilitySuiteOptions } from './suites/memory/describe-memory-durability.js';
export { describeMemoryDurability } from './suites/memory/describe-memory-durability.js';
export type { MemoryRepositorySuiteOptions } from './suites/memory/describe-memory-repository.js';
export { describeMemoryRepository } from './suites/memory/describe-memory-repository.js';
export type { DurabilityStage, KillableEngine } from './suites/memory/durability-stage.js';
export { engineStage } from './suites/memory/engine-stage.js';
export type { MemoryCaseId } from './suites/memory/memory-case-id.js';
export type { CreateMemoryRepository, OtherProcessTurns, TamperedMessage } from './suites/memory/repository-stage.js';

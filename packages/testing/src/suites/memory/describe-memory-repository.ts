import type { SuiteOptions } from '../../runner/suite-options.js';
import { caseName } from '../kernel/case-name.js';
import { defineSuite } from '../kernel/define-suite.js';
import { appendCases } from './append-cases.js';
import { closeCases } from './close-cases.js';
import { deleteCases } from './delete-cases.js';
import { findCases } from './find-cases.js';
import type { MemoryCaseId } from './memory-case-id.js';
import type { CreateMemoryRepository, OtherProcessTurns, TamperedMessage } from './repository-stage.js';
import { repositoryStage } from './repository-stage.js';
import { sizeCases } from './size-cases.js';
import { storedCases } from './stored-cases.js';
import { writerCases } from './writer-cases.js';

/** What the suite may use beyond the repository, beside what every suite takes. What is left out has its cases reported as not declared. */
export interface MemoryRepositorySuiteOptions extends SuiteOptions<MemoryCaseId> {
  /** Rows that were read and written, or commands that were sent, since the last call. */
  readonly commands?: (() => number) | undefined;
  /** Puts a text in the place of a stored message, past the repository: for what other releases wrote and for damage. */
  readonly tamper?: ((tampered: TamperedMessage) => Promise<void>) | undefined;
  /** Has another process call `appendTurns` on a repository over the same data, and resolves when it has ended well. */
  readonly otherProcess?: ((turns: OtherProcessTurns) => Promise<void>) | undefined;
}

/**
 * Round trips, order, sequences, conflicts, writers beside each other, trimming, deleting, odd ids and texts, long conversations, stored
 * messages of other releases, abort, close. `create` gives a repository over the same data each time within a case, so that a second
 * writer and a restart can be played. A repository that lists ids in pages should make small ones here: there are 120 conversations.
 * What a kill in the middle of a write leaves is checked by `describeMemoryDurability`.
 */
export function describeMemoryRepository(
  name: string,
  create: CreateMemoryRepository,
  options: MemoryRepositorySuiteOptions,
): void {
  const { commands, tamper, otherProcess, ...suite } = options;
  defineSuite({
    suite: 'memory',
    subject: name,
    cases: [...appendCases, ...findCases, ...deleteCases, ...writerCases, ...sizeCases, ...storedCases, ...closeCases],
    create: (id) => repositoryStage(create, caseName(id), { commands, tamper, otherProcess }),
    options: suite,
  });
}

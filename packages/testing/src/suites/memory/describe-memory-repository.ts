import type { SuiteOptions } from '../../runner/suite-options.js';
import { caseName } from '../kernel/case-name.js';
import { defineSuite } from '../kernel/define-suite.js';
import { appendCases } from './append-cases.js';
import { deleteCases } from './delete-cases.js';
import { findCases } from './find-cases.js';
import type { MemoryCaseId } from './memory-case-id.js';
import type { CreateMemoryRepository } from './repository-stage.js';
import { repositoryStage } from './repository-stage.js';

/** How commands are counted, beside what every suite takes. */
export interface MemoryRepositorySuiteOptions extends SuiteOptions<MemoryCaseId> {
  /** Rows or commands since the last call, for the cost case. Left out: it is not run and reported so. */
  readonly commands?: (() => number) | undefined;
}

/**
 * Round trips, order, sequences, conflicts, two writers, trimming, deleting, odd ids and texts, abort. `create` gives a repository over
 * the same data each time within a case, so that a second writer and a restart can be played.
 */
export function describeMemoryRepository(
  name: string,
  create: CreateMemoryRepository,
  options: MemoryRepositorySuiteOptions,
): void {
  const { commands, ...suite } = options;
  defineSuite({
    suite: 'memory',
    subject: name,
    cases: [...appendCases, ...findCases, ...deleteCases],
    create: (id) => repositoryStage(create, caseName(id), commands),
    options: suite,
  });
}

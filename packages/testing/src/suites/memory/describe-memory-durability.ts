import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable } from '../kernel/subject.js';
import { durabilityCases } from './durability-cases.js';
import type { DurabilityStage } from './durability-stage.js';
import type { MemoryCaseId } from './memory-case-id.js';

/** Nothing beyond what every suite takes. */
export interface MemoryDurabilitySuiteOptions extends SuiteOptions<MemoryCaseId> {}

/**
 * What a repository owes to those whose write was acknowledged, when the engine or the process is killed in the middle of the next one.
 * For repositories on engines that promise durability; `engineStage` makes the stage of a server.
 */
export function describeMemoryDurability(
  name: string,
  create: () => Awaitable<DurabilityStage>,
  options: MemoryDurabilitySuiteOptions,
): void {
  defineSuite({
    suite: 'memory',
    subject: `${name}, killed`,
    cases: durabilityCases,
    async create() {
      const stage = await create();
      return { subject: stage, close: () => stage.end() };
    },
    options,
  });
}

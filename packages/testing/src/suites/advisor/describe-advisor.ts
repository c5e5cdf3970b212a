import type { AnyAdvisor } from '@vernal/client-chat';
import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import type { AdvisorCaseId } from './advisor-cases.js';
import { advisorCases } from './advisor-cases.js';

/** Nothing beyond what every suite takes. */
export interface AdvisorSuiteOptions extends SuiteOptions<AdvisorCaseId> {}

/**
 * Call equals stream, no cut leaves a tool call without its answer, the question arrives, errors and aborts come through. Every case asks
 * a scripted model through a `ChatClient` with a conversation id. An advisor that is there to stop or to change some of this lists it as a
 * deviation.
 */
export function describeAdvisor(
  name: string,
  create: () => Awaitable<Subject<AnyAdvisor>>,
  options: AdvisorSuiteOptions,
): void {
  defineSuite({ suite: 'advisor', subject: name, cases: advisorCases, create, options });
}

import type { ChatModel } from '@vernal/core';
import type { SuiteOptions } from '../../runner/suite-options.js';
import type { ChatModelWire } from '../../wires/chat-model-wire.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import { abortCases } from './abort-cases.js';
import { answerCases } from './answer-cases.js';
import { declarationCases, refusalCases } from './capability-cases.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { CreateChatModel } from './chat-stage.js';
import { modelStage, wireStage } from './chat-stage.js';
import { errorCases } from './error-cases.js';
import { interruptionCases } from './interruption-cases.js';
import { liveCases } from './live-cases.js';
import { modelCases } from './model-cases.js';
import { requestCases } from './request-cases.js';
import { toolCallCases } from './tool-call-cases.js';
import { usageCases } from './usage-cases.js';

/** How the provider speaks, beside what every suite takes. */
export interface ChatModelSuiteOptions extends SuiteOptions<ChatModelCaseId> {
  /** Left out for a model in this process: cases of the wire are then not run and reported so. */
  readonly wire?: ChatModelWire | undefined;
  /** A few cases against the real service. */
  readonly live?: (() => Awaitable<Subject<ChatModel>>) | undefined;
}

const localCases = [...modelCases, ...refusalCases];
const wireCases = [
  ...answerCases,
  ...toolCallCases,
  ...usageCases,
  ...requestCases,
  ...declarationCases,
  ...errorCases,
  ...interruptionCases,
  ...abortCases,
];

/**
 * About 70 cases: `fold(stream)` equals `call`, fragmentation at every byte, usage and finish-reason rules, error mapping, abort before
 * headers and between chunks, the connection closed on break, capabilities declared or refused.
 *
 * `create` is called at least once a case. Give the model a server at `baseURL` and no retries of its own (`noRetry`, and the SDK's count
 * at 0): the suite's server answers each request once. Where the model can be told its capabilities, honour `capabilities`. The wire
 * cases need Node; a model in this process must answer any prompt, any number of times, the same way.
 */
export function describeChatModel(name: string, create: CreateChatModel, options: ChatModelSuiteOptions): void {
  const { wire, live, ...given } = options;
  const { deviations = [] } = given;
  const isLive = (entry: { readonly case: string }): boolean => entry.case.startsWith('chat.live.');
  const suite = { ...given, deviations: deviations.filter((entry) => !isLive(entry)) };
  if (wire === undefined) {
    defineSuite({
      suite: 'chat-model',
      subject: name,
      cases: localCases,
      skipped: [{ cases: wireCases, reason: 'a model in this process has no wire' }],
      create: () => modelStage(create),
      options: suite,
    });
  } else {
    defineSuite({
      suite: 'chat-model',
      subject: name,
      cases: [...localCases, ...wireCases],
      create: () => wireStage(create, wire),
      options: suite,
    });
  }
  if (live !== undefined) {
    defineSuite({
      suite: 'chat-model',
      subject: `${name}, live`,
      cases: liveCases,
      create: () => modelStage(live),
      options: { ...given, deviations: deviations.filter(isLive) },
    });
  }
}

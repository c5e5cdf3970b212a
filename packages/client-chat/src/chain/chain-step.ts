import type { Logger } from '@vernal/core';
import type {
  Advisor,
  AnyAdvisor,
  CallAdvisor,
  CallAdvisorChain,
  StreamAdvisor,
  StreamAdvisorChain,
} from '../advisors/advisor.js';
import { type ChatClientRequest, type ChatClientResponse, foldClient } from '../advisors/advisor-request.js';
import { adviceFor, BaseAdvisor } from '../advisors/base-advisor.js';
import { type Advice, advisorsOf, type Inward, withhold } from './advice.js';
import { givenAnswer } from './given-answer.js';

/** What a step sees of the chain behind it. */
export interface StepChain extends CallAdvisorChain, StreamAdvisorChain {
  /** What a call asks. */
  readonly inward: Inward;
  /** `nextStream` through a function, without a hop of its own; what the function makes undefined is left out. */
  stream<T>(request: ChatClientRequest, map: (chunk: ChatClientResponse) => T | undefined): AsyncIterator<T>;
  copy(after: Advisor): StepChain;
}

/** One advisor of a compiled chain, both modes decided. */
export interface ChainStep {
  /** Absent for what the client itself puts in. */
  readonly advisor?: AnyAdvisor;
  call(request: ChatClientRequest, behind: StepChain): Promise<ChatClientResponse>;
  /** The logic for a stream that another loop drives; else the advisor streams by itself. */
  readonly stream:
    | { readonly advice: Advice }
    | {
        readonly advice?: undefined;
        run(request: ChatClientRequest, behind: StepChain): AsyncIterable<ChatClientResponse>;
      };
}

const CALL_GIVES = 'adviseCall() has to return a response, as chain.nextCall() gives one';

export function adviceStep(advice: Advice): ChainStep {
  return { call: (request, behind) => advice(request, behind.inward, behind), stream: { advice } };
}

/** No advisor is skipped in either mode: one that has only one face is bridged to the other, and the log says so. */
export function advisorStep(advisor: AnyAdvisor, logger: Logger): ChainStep {
  return { advisor, call: callOf(advisor, logger), stream: streamOf(advisor, logger) };
}

function callOf(advisor: AnyAdvisor, logger: Logger): ChainStep['call'] {
  if (!advisesCalls(advisor)) {
    logger.debug('A stream-only advisor: in a call its stream is folded', { advisor: advisor.name });
    return (request, behind) => foldClient(advisor.adviseStream(request, behind));
  }
  if (!inheritsCall(advisor))
    return (request, behind) => givenAnswer(advisor, advisor.adviseCall(request, behind), CALL_GIVES);
  const advice = adviceFor(advisor);
  return (request, behind) => advice(request, behind.inward, behind);
}

function streamOf(advisor: AnyAdvisor, logger: Logger): ChainStep['stream'] {
  if (!advisesStreams(advisor)) {
    logger.debug('A call-only advisor: in a stream it gets the folded answer and gives one chunk', {
      advisor: advisor.name,
    });
    return { advice: bridgedCall(advisor) };
  }
  if (inheritsStream(advisor)) return { advice: adviceFor(advisor) };
  return { run: (request, behind) => advisor.adviseStream(request, behind) };
}

/** True for advisors whose logic is known here and can be run without their method. */
function inheritsCall(advisor: CallAdvisor): advisor is BaseAdvisor {
  return advisor.adviseCall === BaseAdvisor.prototype.adviseCall;
}

function inheritsStream(advisor: StreamAdvisor): advisor is BaseAdvisor {
  return advisor.adviseStream === BaseAdvisor.prototype.adviseStream;
}

function advisesCalls(advisor: AnyAdvisor): advisor is CallAdvisor {
  return 'adviseCall' in advisor && typeof advisor.adviseCall === 'function';
}

function advisesStreams(advisor: AnyAdvisor): advisor is StreamAdvisor {
  return 'adviseStream' in advisor && typeof advisor.adviseStream === 'function';
}

function bridgedCall(advisor: CallAdvisor): Advice {
  return (request, inward, chain) =>
    givenAnswer(advisor, advisor.adviseCall(request, foldedChain(advisor, inward, chain)), CALL_GIVES);
}

/** A chain for calls whose answers are streams, read to their end. */
function foldedChain(
  advisor: AnyAdvisor,
  inward: Inward,
  chain: CallAdvisorChain | StreamAdvisorChain,
): CallAdvisorChain {
  const { observationRegistry, logger, model } = chain;
  const folded: CallAdvisorChain = {
    observationRegistry,
    logger,
    model,
    callAdvisors: advisorsOf(chain),
    nextCall: (request) => inward.ask(request, withhold),
    copy(after) {
      if (after === advisor) return folded;
      const rest = chain.copy(after);
      if ('nextCall' in rest) return rest;
      return { ...folded, nextCall: (request) => foldClient(rest.nextStream(request)) };
    },
  };
  return folded;
}

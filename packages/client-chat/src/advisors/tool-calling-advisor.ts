import type { ChatResponse, Logger, ObservationRegistry, Usage } from '@vernal/core';
import { invalidArgument, ToolCallingManager } from '@vernal/core';
import { advisorsOf, setAdvice } from '../chain/advice.js';
import { runToolLoop, type ToolLoopOptions } from '../chain/tool-loop.js';
import type { AdvisorChain, CallAdvisorChain, StreamAdvisorChain } from './advisor.js';
import { DEFAULT_TOOL_CALLING_ORDER, HIGHEST_PRECEDENCE, LOWEST_PRECEDENCE } from './advisor-order.js';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';
import { BaseAdvisor } from './base-advisor.js';

/** What a round may change before the model is asked again. */
export interface ToolRound {
  /** 0 for the first. */
  readonly index: number;
  readonly request: ChatClientRequest;
  /** Of the rounds before this one; {} before the first. */
  readonly usage: Usage;
}

/** All may be left out: the advisor that a client adds by itself has none of them. */
export interface ToolCallingAdvisorOptions {
  /** Default: a new one, with the registry and logger of the client. */
  readonly manager?: ToolCallingManager | undefined;
  /** Strictly between the extremes. Default `DEFAULT_TOOL_CALLING_ORDER`. */
  readonly order?: number | undefined;
  /** Model calls a turn, >= 1. Default 25; then finish reason 'tool_call_limit'. The tools of the last round still run. */
  readonly maxRounds?: number | undefined;
  /** Carries the turn's messages from round to round itself. Default true, unless a memory further in gives them back. */
  readonly internalHistory?: boolean | undefined;
  /** Whether an answer's tools are run. Default `callsTools`: it has calls and was not cut short. */
  readonly eligible?: ((response: ChatResponse) => boolean) | undefined;
  /** One set of hooks for both modes. What this one changes, messages apart, holds for the rounds after it too. */
  readonly beforeRound?: ((round: ToolRound) => ChatClientRequest | Promise<ChatClientRequest>) | undefined;
  readonly afterRound?:
    | ((round: ToolRound, response: ChatClientResponse) => ChatClientResponse | Promise<ChatClientResponse>)
    | undefined;
}

/**
 * The one tool loop, streaming inside. Added to every chain that has no advisor of role 'tool', unless switched off.
 *
 * The answer of a turn is all that the model wrote in it: text before a tool call too, in a call as in a stream. Tool calls that were
 * run are in `turn`, not in the answer. What runs is what the model was offered in that round: an advisor further in may offer more, or
 * less, than the request. Source: `ToolCallingAdvisor` of spring-ai-client-chat.
 *
 * @example
 * const advisor = new ToolCallingAdvisor({ maxRounds: 8, afterRound: (round, response) => (log(round.index), response) });
 * const client = ChatClient.builder(model, { toolCallingAdvisor: advisor }).build();
 */
export class ToolCallingAdvisor extends BaseAdvisor {
  readonly name: string = 'ToolCallingAdvisor';
  override readonly role: 'tool';

  /** Throws `invalid_argument` for an order at the extremes and for less than one round. */
  constructor(options: ToolCallingAdvisorOptions = {}) {
    const { order = DEFAULT_TOOL_CALLING_ORDER, maxRounds = 25, manager } = options;
    if (!(order > HIGHEST_PRECEDENCE && order < LOWEST_PRECEDENCE)) {
      throw invalidArgument(
        'order',
        'must lie between HIGHEST_PRECEDENCE and LOWEST_PRECEDENCE, for advisors stand on both sides of it',
      );
    }
    if (!Number.isInteger(maxRounds) || maxRounds < 1)
      throw invalidArgument('maxRounds', 'must be a whole number of at least 1');
    super({ order });
    this.role = 'tool';
    const managers = new WeakMap<ObservationRegistry, WeakMap<Logger, ToolCallingManager>>();
    const loop: ToolLoopOptions = {
      ...options,
      maxRounds,
      managerOf: (chain) => manager ?? managerFor(managers, chain),
      memoryInside: (chain) => hasMemoryInside(this, chain),
    };
    setAdvice(this, (request, inward, chain) => runToolLoop(request, inward, loop, chain));
  }
}

function managerFor(
  managers: WeakMap<ObservationRegistry, WeakMap<Logger, ToolCallingManager>>,
  { observationRegistry, logger }: AdvisorChain,
): ToolCallingManager {
  let ofRegistry = managers.get(observationRegistry);
  if (ofRegistry === undefined) {
    ofRegistry = new WeakMap();
    managers.set(observationRegistry, ofRegistry);
  }
  let manager = ofRegistry.get(logger);
  if (manager === undefined) {
    manager = new ToolCallingManager({ observationRegistry, logger });
    ofRegistry.set(logger, manager);
  }
  return manager;
}

function hasMemoryInside(advisor: ToolCallingAdvisor, chain: CallAdvisorChain | StreamAdvisorChain): boolean {
  const advisors = advisorsOf(chain);
  for (let i = advisors.length - 1; i >= 0 && advisors[i] !== advisor; i--) {
    if (advisors[i]?.role === 'memory') return true;
  }
  return false;
}

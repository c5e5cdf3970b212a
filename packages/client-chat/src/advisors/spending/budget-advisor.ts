import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, LOWEST_PRECEDENCE } from '@vernal/client-chat';
import type { Usage } from '@vernal/core';
import { assistantMessage, chatResponse, invalidArgument, VernalError } from '@vernal/core';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { usedTokens } from './used-tokens.js';

/** At least one of the two limits. */
export interface BudgetAdvisorOptions extends AdvisorPlace {
  /** Tokens of a turn, prompts and completions of all its model calls. > 0. */
  readonly maxTokens?: number | undefined;
  /** In the currency of `cost`, which it needs. > 0. */
  readonly maxCost?: number | undefined;
  /** What one model call cost. `model` is the one that answered, else the one that was asked for. */
  readonly cost?: ((usage: Usage, model: string | undefined) => number) | undefined;
  /** 'stop': the turn ends with finish reason 'length'. 'throw': `invalid_state`. Default 'stop'. */
  readonly onExceeded?: 'stop' | 'throw' | undefined;
}

interface Spent {
  tokens: number;
  cost: number;
  warned: boolean;
}

/**
 * Ends a turn that costs too much. Before each model call what the calls before it used is compared with the budget: once that is used up,
 * the model is not asked again. The call that goes over the budget is still given, and the tools that it calls still run, so that no tool
 * call is left without its answer; `maxTokens` of the chat options bounds a single answer.
 *
 * With 'stop' the answer says that it stopped, has finish reason 'length', and `budget: { tokens, cost }` in its metadata. A provider that
 * reports no usage cannot be held to a budget: a warning says so, once a turn. Cached answers cost nothing. A turn that is resumed has its
 * budget anew; clients that are used as tools have budgets of their own.
 *
 * Scope 'round', order `LOWEST_PRECEDENCE - 700`: it counts every call of the turn, repeats and tries included.
 *
 * @example
 * new BudgetAdvisor({ maxCost: 0.05, cost: ({ promptTokens = 0, completionTokens = 0 }) => promptTokens * 1e-6 + completionTokens * 4e-6 });
 */
export class BudgetAdvisor extends BaseAdvisor {
  readonly name: string = 'BudgetAdvisor';

  /** Throws `invalid_argument` without any limit, for limits that are not above 0, and for `maxCost` without `cost`. */
  constructor(options: BudgetAdvisorOptions) {
    super(options, { order: LOWEST_PRECEDENCE - 700, scope: 'round' });
    const { maxTokens, maxCost, cost, onExceeded = 'stop' } = options;
    if (maxTokens === undefined && maxCost === undefined) {
      throw invalidArgument('maxTokens', 'name a limit: maxTokens, or maxCost and cost');
    }
    if (maxTokens !== undefined && !(maxTokens > 0)) throw invalidArgument('maxTokens', 'must be above 0');
    if (maxCost !== undefined && !(maxCost > 0)) throw invalidArgument('maxCost', 'must be above 0');
    if (maxCost !== undefined && typeof cost !== 'function') {
      throw invalidArgument('cost', 'maxCost needs a function that says what usage costs');
    }
    const turns = new WeakMap<object, Spent>();
    keepAdvice(this, async (request, inward, chain) => {
      const spent = spentIn(turns, request);
      if (spent.tokens >= (maxTokens ?? Number.POSITIVE_INFINITY)) {
        return ended(this.name, request, spent, `${maxTokens} tokens`, onExceeded);
      }
      if (spent.cost >= (maxCost ?? Number.POSITIVE_INFINITY)) {
        return ended(this.name, request, spent, `${maxCost}`, onExceeded);
      }
      const response = await inward.ask(request);
      const answer = response.chatResponse;
      if (answer === undefined || answer.metadata['cached'] === true) return response;
      const { usage, model } = answer.metadata;
      const tokens = usedTokens(usage);
      if (tokens === undefined) {
        if (!spent.warned) chain.logger.warn('The provider reports no usage; the budget cannot count it', { model });
        spent.warned = true;
        return response;
      }
      spent.tokens += tokens;
      if (cost !== undefined) {
        const asked = model ?? request.prompt.options.model ?? chain.model?.defaultOptions.model;
        spent.cost += checkedCost(cost(usage, asked));
      }
      return response;
    });
  }

  override advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    return ownAdvice(this)(request, inward, chain);
  }
}

function spentIn(turns: WeakMap<object, Spent>, { run }: ChatClientRequest): Spent {
  const found = run === undefined ? undefined : turns.get(run);
  if (found !== undefined) return found;
  const spent = { tokens: 0, cost: 0, warned: false };
  if (run !== undefined) turns.set(run, spent);
  return spent;
}

function checkedCost(cost: number): number {
  if (Number.isFinite(cost) && cost >= 0) return cost;
  throw invalidArgument('cost', 'must give a number of at least 0, for every model that is asked');
}

function ended(
  name: string,
  { context }: ChatClientRequest,
  { tokens, cost }: Spent,
  limit: string,
  onExceeded: 'stop' | 'throw',
): ChatClientResponse {
  const budget = { tokens, cost };
  if (onExceeded === 'throw') {
    throw new VernalError(
      `The turn has used up its budget of ${limit}: raise it, or let it end the turn with onExceeded 'stop'`,
      { code: 'invalid_state', subject: name, details: budget },
    );
  }
  const output = assistantMessage(`Stopped: the budget of ${limit} for this turn is used up.`);
  return {
    chatResponse: chatResponse([{ output, metadata: { finishReason: 'length' } }], { budget }),
    context,
    turn: [output],
  };
}

import type { ChatModel, Logger, ObservationRegistry } from '@vernal/core';
import { CONVERSATION_ID } from '@vernal/core';
import type { AnyAdvisor } from '../advisors/advisor.js';
import type { ToolCallingAdvisor } from '../advisors/tool-calling-advisor.js';
import type { Advice } from '../chain/advice.js';
import { compileChain } from '../chain/advisor-chain.js';
import { adviceStep, advisorStep, type ChainStep, type StepChain } from '../chain/chain-step.js';
import { observeStep } from '../chain/observe-step.js';
import { orderAdvisors } from '../chain/order-advisors.js';
import type { ChatClientConventions } from './chat-client.js';

/** What never changes between the requests of a client. */
export interface ClientSettings {
  readonly model: ChatModel;
  readonly observationRegistry: ObservationRegistry;
  readonly logger: Logger;
  readonly conventions: ChatClientConventions;
  readonly toolCallingAdvisor: ToolCallingAdvisor;
  readonly onUnsupported: 'error' | 'warn';
}

/** What a terminal puts into the chain of its own run. */
export interface ChainExtras {
  readonly advisors?: readonly AnyAdvisor[];
  /** Right before the model; part of the client, not an advisor. */
  readonly innermost?: Advice;
}

/** The advisors of a client or request, and the chain they make: compiled once, shared by every run. */
export class AdvisorPlan {
  readonly advisors: readonly AnyAdvisor[];
  readonly toolCalling: boolean;
  readonly #settings: ClientSettings;
  #plain: StepChain | undefined;
  #observed: StepChain | undefined;

  constructor(advisors: readonly AnyAdvisor[], toolCalling: boolean, settings: ClientSettings) {
    this.advisors = advisors;
    this.toolCalling = toolCalling;
    this.#settings = settings;
  }

  with(advisors: readonly AnyAdvisor[]): AdvisorPlan {
    return new AdvisorPlan([...this.advisors, ...advisors], this.toolCalling, this.#settings);
  }

  withToolCalling(enabled: boolean): AdvisorPlan {
    return enabled === this.toolCalling ? this : new AdvisorPlan(this.advisors, enabled, this.#settings);
  }

  /** Throws `invalid_argument` for advisors that cannot stand in one chain. */
  chain(extras?: ChainExtras): StepChain {
    const { enabled } = this.#settings.observationRegistry;
    if (extras !== undefined) return this.#compile(enabled, extras);
    if (enabled) {
      this.#observed ??= this.#compile(true, {});
      return this.#observed;
    }
    this.#plain ??= this.#compile(false, {});
    return this.#plain;
  }

  #compile(observed: boolean, { advisors = [], innermost }: ChainExtras): StepChain {
    const { logger } = this.#settings;
    const ordered = orderAdvisors(this.#withToolAdvisor([...this.advisors, ...advisors]));
    const steps = ordered.map((advisor) => advisorStep(advisor, logger));
    const all = observed ? this.#observe(steps, ordered) : steps;
    return compileChain(innermost === undefined ? all : [...all, adviceStep(innermost)], this.#settings);
  }

  #withToolAdvisor(advisors: readonly AnyAdvisor[]): readonly AnyAdvisor[] {
    if (!this.toolCalling) return advisors.filter(({ role }) => role !== 'tool');
    return advisors.some(({ role }) => role === 'tool') ? advisors : [...advisors, this.#settings.toolCallingAdvisor];
  }

  #observe(steps: readonly ChainStep[], advisors: readonly AnyAdvisor[]): readonly ChainStep[] {
    const { observationRegistry, conventions } = this.#settings;
    const names = advisors.map(({ name }) => name);
    const client = observeStep(
      adviceStep((request, inward) => inward.ask(request)),
      {
        kind: 'chat_client',
        name: 'chat_client',
        data: (request, stream) => {
          if (conventions.client !== undefined) return conventions.client(request);
          const id = request.context[CONVERSATION_ID];
          const { tools } = request.prompt.options;
          return {
            stream,
            advisors: names,
            ...(typeof id === 'string' && { conversationId: id }),
            ...(tools && { toolNames: tools.map(({ definition }) => definition.name) }),
          };
        },
      },
      observationRegistry,
    );
    const observedSteps = steps.map((step, i) => {
      const advisor = advisors[i];
      if (advisor === undefined) return step;
      const { name, order, scope } = advisor;
      return observeStep(
        step,
        {
          kind: 'advisor',
          name,
          data: (request) =>
            conventions.advisor?.(advisor, request) ?? { order, ...(scope !== undefined && { scope }) },
        },
        observationRegistry,
      );
    });
    return [client, ...observedSteps];
  }
}

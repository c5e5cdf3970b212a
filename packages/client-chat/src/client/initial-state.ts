import type { ChatModel, ChatOptions } from '@vernal/core';
import { invalidArgument, noopObservationRegistry, safeLogger } from '@vernal/core';
import { ToolCallingAdvisor } from '../advisors/tool-calling-advisor.js';
import { AdvisorPlan, type ClientSettings } from './advisor-plan.js';
import type { ChatClientOptions } from './chat-client.js';
import type { RequestState } from './request-state.js';
import { Tooling } from './tooling.js';

/** A client that was told nothing yet. */
export function initialState(model: ChatModel, options: ChatClientOptions = {}): RequestState {
  if (typeof model !== 'object' || model === null || typeof model.call !== 'function') {
    throw invalidArgument('model', 'a client needs a ChatModel');
  }
  const settings: ClientSettings = {
    model,
    observationRegistry: options.observationRegistry ?? noopObservationRegistry,
    logger: safeLogger(options.logger),
    conventions: options.conventions ?? {},
    toolCallingAdvisor: options.toolCallingAdvisor ?? new ToolCallingAdvisor(),
    onUnsupported: options.onUnsupported ?? 'error',
  };
  return {
    settings,
    plan: new AdvisorPlan([], true, settings),
    system: undefined,
    user: undefined,
    messages: [],
    options: toolDefaults(model),
    tooling: new Tooling(),
    context: {},
    renderer: undefined,
    entityOptions: {},
    signal: undefined,
    observation: undefined,
    timeoutMs: undefined,
    resumption: undefined,
  };
}

/** Tools that a model has by default are run like any others, so the request has to name them. */
function toolDefaults({ defaultOptions }: ChatModel): ChatOptions {
  const { tools, toolNames, toolContext } = defaultOptions;
  if (tools === undefined && toolNames === undefined && toolContext === undefined) return {};
  return { tools, toolNames, toolContext };
}

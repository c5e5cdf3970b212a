import type { ChatOptions } from '@vernal/core';
import { overlayChatOptions } from '@vernal/core';
import { initialState } from './initial-state.js';
import type { RequestState } from './request-state.js';

/** What belongs to the conversation, or is asked of its answer. The model's own defaults of these are unset as well. */
const OF_THE_CONVERSATION: ChatOptions = {
  tools: null,
  toolNames: null,
  toolContext: null,
  toolChoice: null,
  outputSchema: null,
  temperature: 0,
};

/** The model and the settings of a client, and nothing that it says. */
export function isolatedState({ settings, options }: RequestState, changes: ChatOptions = {}): RequestState {
  const { model, ...rest } = settings;
  return {
    ...initialState(model, rest),
    options: overlayChatOptions(overlayChatOptions(options, OF_THE_CONVERSATION), changes),
  };
}

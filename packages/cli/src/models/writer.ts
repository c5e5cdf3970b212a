import type { ChatModel, ChatOptions } from '@vernal/core';
import type { ChatChoice } from './choose-chat-model.js';

/** A model that can write, and how it is asked for something beside an answer, such as other words for a question, or a verdict. */
export interface Writer {
  readonly model: ChatModel;
  readonly options: ChatOptions;
}

/** Undefined for the embedded model, which only quotes. */
export function writerOf({ provider }: ChatChoice, model: ChatModel): Writer | undefined {
  if (provider === 'local') return undefined;
  // Beside an answer the temperature is 0. Models of these two that reason refuse any, and their names do not say which do.
  const refusesTemperature = provider === 'openai' || provider === 'anthropic';
  return { model, options: refusesTemperature ? { temperature: null } : {} };
}

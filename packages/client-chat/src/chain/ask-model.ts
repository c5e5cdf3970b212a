import type { ChatModel, ChatOptions, ChatResponse, Logger, Message, Prompt } from '@vernal/core';
import { hasToolCalls } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse, TurnRun } from '../advisors/advisor-request.js';
import { raceAbort } from './abort-race.js';
import { declaredOnly } from './declared-capabilities.js';
import { withOutputFormat } from './output-format.js';
import { withoutNotes } from './run-notes.js';
import { newMessages } from './turn-messages.js';

/** How a chain treats any model it asks. */
export interface ModelSettings {
  readonly logger: Logger;
  readonly onUnsupported: 'error' | 'warn';
}

/** The innermost step of a call. */
export async function callModel(
  model: ChatModel,
  request: ChatClientRequest,
  settings: ModelSettings,
): Promise<ChatClientResponse> {
  const prompt = promptFor(model, request, settings);
  return answered(request, await raceAbort(request.signal, () => model.call(prompt, request)));
}

/** The innermost step of a stream. */
export function streamModel(
  model: ChatModel,
  request: ChatClientRequest,
  settings: ModelSettings,
): AsyncIterable<ChatResponse> {
  return model.stream(promptFor(model, request, settings), request);
}

const offers = new WeakMap<Message | TurnRun, ChatOptions>();

/**
 * What the model was asked with that gave this answer, or the last one of the run with tool calls, for an advisor may have rewritten the
 * answer: an advisor inside of the tool loop may offer other tools than the loop knows.
 */
export function offeredWith(answer: Message | undefined, run: TurnRun | undefined): ChatOptions | undefined {
  return (answer && offers.get(answer)) ?? (run && offers.get(run));
}

/** The first answer is the one that the conversation goes on with. */
export function answered(request: ChatClientRequest, chatResponse: ChatResponse): ChatClientResponse {
  const turn = newMessages(request.prompt.messages);
  if (chatResponse.result !== undefined) {
    const { output } = chatResponse.result;
    turn.push(output);
    if (hasToolCalls(chatResponse)) {
      const { prompt, run } = request;
      offers.set(output, prompt.options);
      if (run !== undefined) offers.set(run, prompt.options);
    }
  }
  return { chatResponse, context: withoutNotes(request.context), turn };
}

function promptFor(model: ChatModel, request: ChatClientRequest, settings: ModelSettings): Prompt {
  const { logger, onUnsupported } = settings;
  const prompt = declaredOnly(request.prompt, model, onUnsupported, logger);
  return withOutputFormat(prompt, request.context, model, onUnsupported, logger);
}

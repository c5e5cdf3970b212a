import type { ChatModel, ChatResponse, Logger, Prompt } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import { AbortRace } from './abort-race.js';
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
  const { signal } = request;
  let chatResponse: ChatResponse;
  if (signal === undefined) {
    chatResponse = await model.call(prompt, request);
  } else {
    const race = new AbortRace(signal);
    try {
      chatResponse = await race.run(model.call(prompt, request));
    } finally {
      race.close();
    }
  }
  return answered(request, chatResponse);
}

/** The innermost step of a stream. */
export function streamModel(
  model: ChatModel,
  request: ChatClientRequest,
  settings: ModelSettings,
): AsyncIterable<ChatResponse> {
  return model.stream(promptFor(model, request, settings), request);
}

/** The first answer is the one that the conversation goes on with. */
export function answered(request: ChatClientRequest, chatResponse: ChatResponse): ChatClientResponse {
  const turn = newMessages(request.prompt.messages);
  if (chatResponse.result !== undefined) turn.push(chatResponse.result.output);
  return { chatResponse, context: withoutNotes(request.context), turn };
}

function promptFor(model: ChatModel, request: ChatClientRequest, settings: ModelSettings): Prompt {
  const { logger, onUnsupported } = settings;
  const prompt = declaredOnly(request.prompt, model, onUnsupported, logger);
  return withOutputFormat(prompt, request.context, model, onUnsupported, logger);
}

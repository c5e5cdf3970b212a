import type { ChatClientRequest, ChatClientResponse } from '@vernal/client-chat';
import type { ChatModel, ChatResponse, Usage } from '@vernal/core';
import type { SharedAnswer } from './shared-answer.js';

const NO_USAGE: Usage = {};

/** An answer that nothing was spent on: `cached` in its metadata, no usage. */
export function asCached(response: ChatResponse): ChatResponse {
  return { ...response, metadata: { ...response.metadata, usage: NO_USAGE, cached: true } };
}

/** The same as a response to `request`: whatever the first asker's advisors put into the context stays theirs. */
export function cachedResponse({ context }: ChatClientRequest, answer: ChatResponse): ChatClientResponse {
  const output = answer.result?.output;
  return { chatResponse: asCached(answer), context, turn: output === undefined ? [] : [output] };
}

/** Streams the chunks of an answer that somebody else reads, or has read. */
export function replayed(answer: SharedAnswer, change: (chunk: ChatResponse) => ChatResponse): ChatModel {
  return {
    provider: 'response-cache',
    capabilities: {
      streaming: true,
      tools: true,
      toolChoice: true,
      outputSchema: 'schema',
      mediaInput: ['*/*'],
      mediaOutput: ['*/*'],
      reasoning: true,
      unsupportedOptions: [],
    },
    defaultOptions: {},
    call: async () => {
      const { chatResponse = { results: [], result: undefined, metadata: { usage: NO_USAGE } } } = await answer.whole;
      return change(chatResponse);
    },
    async *stream() {
      for await (const chunk of answer.chunks()) yield change(chunk);
    },
  };
}

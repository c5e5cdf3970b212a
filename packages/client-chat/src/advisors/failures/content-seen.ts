import type { ChunkFilter } from '@vernal/client-chat';
import type { ChatResponse } from '@vernal/core';

/** Whether anything of an answer has gone out: from then on it cannot be asked for again. */
export class ContentSeen implements ChunkFilter {
  content = false;

  pass(chunk: ChatResponse): ChatResponse {
    this.content ||= chunk.results.some(
      ({ output, toolCallDeltas }) =>
        output.text !== '' ||
        toolCallDeltas !== undefined ||
        output.toolCalls.length + output.reasoning.length + output.media.length > 0,
    );
    return chunk;
  }
}

import type { ChatClientResponse } from '@vernal/client-chat';
import type { ChatResponse, Usage } from '@vernal/core';
import { addUsage } from '@vernal/core';

/**
 * Adds up the usage of an advisor that asks more than once, so that its answer reports all of it. One for each run. Source:
 * `UsageAccumulator` of spring-ai-client-chat.
 *
 * @example
 * const usage = new UsageAccumulator();
 * let response: ChatClientResponse;
 * do {
 *   response = await inward.ask(request);
 *   usage.addRoundResponse(response.chatResponse);
 * } while (!isGood(response));
 * return usage.applyAccumulatedUsage(response);
 */
export class UsageAccumulator {
  /** Of the rounds that were added; {} before the first. With more than one, `rounds` has each. */
  usage: Usage = {};

  /** Adds a round that is over, and gives the total. A round without an answer, or without usage, adds nothing. */
  addRoundResponse(response: ChatResponse | undefined): Usage {
    if (response !== undefined) this.usage = addUsage(this.usage, response.metadata.usage);
    return this.usage;
  }

  /** The response with the total as its usage; itself when there is nothing to say, or nothing to say it of. */
  applyAccumulatedUsage(response: ChatClientResponse): ChatClientResponse {
    const answer = response.chatResponse;
    if (answer === undefined || isEmpty(this.usage) || answer.metadata.usage === this.usage) return response;
    return { ...response, chatResponse: withUsage(answer, this.usage) };
  }

  /**
   * For advisors that stream by hand: a chunk of the running round, with the rounds before it counted in. A chunk that reports no usage
   * stays as it is.
   */
  applyPreviousUsageToChunk(chunk: ChatClientResponse): ChatClientResponse {
    const answer = chunk.chatResponse;
    if (answer === undefined || isEmpty(this.usage) || isEmpty(answer.metadata.usage)) return chunk;
    return { ...chunk, chatResponse: withUsage(answer, addUsage(this.usage, answer.metadata.usage)) };
  }

  /**
   * For advisors that stream by hand: a last chunk with the total and nothing else, when the last round reported no usage of its own, for
   * then none of its chunks carried that of the rounds before. Undefined when there is nothing to correct.
   *
   * @param last - the last round, folded
   */
  finalUsageCorrection(last: ChatClientResponse): ChatClientResponse | undefined {
    const own = last.chatResponse?.metadata.usage;
    if (isEmpty(this.usage) || (own !== undefined && !isEmpty(own))) return undefined;
    const metadata = { ...last.chatResponse?.metadata, usage: this.usage };
    return { ...last, chatResponse: { results: [], result: undefined, metadata } };
  }
}

function withUsage(answer: ChatResponse, usage: Usage): ChatResponse {
  return { ...answer, metadata: { ...answer.metadata, usage } };
}

function isEmpty(usage: Usage): boolean {
  return Object.values(usage).every((value) => value === undefined);
}

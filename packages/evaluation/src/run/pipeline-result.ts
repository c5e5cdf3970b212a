import type { ChatClientResponse } from '@vernal/client-chat';
import { responseText } from '@vernal/core';
import type { PipelineResult } from './evaluation-case.js';

/**
 * What a client answered, as the result of a pipeline: the text, the calls of tools in the turn, tokens and model. What the client cannot know,
 * such as the documents that an advisor found, comes second and wins.
 *
 * @example
 * const response = await client.prompt(question).signal(signal).call().chatClientResponse();
 * return pipelineResult(response, { documents: contextValue(response.context, QA_RETRIEVED_DOCUMENTS) ?? [] });
 */
export function pipelineResult(answer: ChatClientResponse, known: Partial<PipelineResult> = {}): PipelineResult {
  const { chatResponse, turn } = answer;
  const toolCalls = turn.flatMap((message) => (message.type === 'assistant' ? message.toolCalls : []));
  return {
    response: chatResponse === undefined ? '' : responseText(chatResponse),
    toolCalls,
    usage: chatResponse?.metadata.usage,
    model: chatResponse?.metadata.model,
    ...known,
  };
}

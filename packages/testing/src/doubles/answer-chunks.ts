import type { ChatResponse, ChatResponseMetadataInput, ToolCallDelta } from '@vernal/core';
import { assistantMessage, chatResponse } from '@vernal/core';
import { cutText } from './cut-text.js';
import type { ScriptAnswer } from './script-step.js';
import { argumentsText, finishReasonOf } from './script-step.js';

/** What the chunks of one answer carry beside the script. */
export interface AnswerIdentity {
  readonly id: string;
  readonly model: string | undefined;
  /** The id of the next tool call that the script left without one. */
  readonly nextCallId: () => string;
}

/** The chunks of an answer in the order of a real provider: reasoning, text, tool calls, then the finish reason with the usage. */
export function* answerChunks(answer: ScriptAnswer, identity: AnswerIdentity): Generator<ChatResponse> {
  const metadata: ChatResponseMetadataInput = { id: identity.id, model: identity.model };
  for (const text of cutText(answer.reasoning ?? '', answer.chunks)) {
    yield chatResponse([{ output: assistantMessage({ reasoning: [{ text, index: 0 }] }) }], metadata);
  }
  for (const text of cutText(answer.text ?? '', answer.chunks)) yield chatResponse(text, metadata);
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    const first: ToolCallDelta = { index, id: call.id ?? identity.nextCallId(), name: call.name };
    const [head = '', ...rest] = cutText(argumentsText(call.arguments), answer.chunks);
    yield chatResponse([{ toolCallDeltas: [{ ...first, arguments: head }] }], metadata);
    for (const piece of rest) yield chatResponse([{ toolCallDeltas: [{ index, arguments: piece }] }], metadata);
  }
  yield chatResponse([{ metadata: { finishReason: finishReasonOf(answer) } }], { ...metadata, usage: answer.usage });
}

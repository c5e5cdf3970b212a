import type { ChatResponse, Message, SchemaIssue, StructuredOutputConverter, Usage } from '@vernal/core';
import {
  addUsage,
  assistantMessage,
  hasToolCalls,
  responseText,
  StructuredOutputError,
  untilAborted,
  userMessage,
} from '@vernal/core';
import { type ChatClientRequest, type ChatClientResponse, withRequest } from '../advisors/advisor-request.js';
import { type Advice, withhold } from './advice.js';
import { turnAsAsked } from './turn-messages.js';

/** Asks until `converter` can read the answer, at most `maxRepeats` times more. */
export function validationAdvice(converter: StructuredOutputConverter<unknown>, maxRepeats: number): Advice {
  return async (request, inward) => {
    let usage: Usage = {};
    let asked = request;
    for (let attempt = 1; ; attempt++) {
      const response = await inward.ask(asked, withhold);
      const answer = response.chatResponse;
      if (answer === undefined || response.pendingApproval !== undefined) return response;
      usage = addUsage(usage, answer.metadata.usage);
      if (hasToolCalls(answer)) return accepted(request, response, answer, usage);
      const text = finalText(response.turn, answer);
      try {
        // It may wait for something that does not listen to the signal.
        await inward.wait(asked, ({ signal }) => untilAborted(Promise.resolve(converter.convert(text)), signal));
        return accepted(request, response, answer, usage);
      } catch (error) {
        if (!StructuredOutputError.is(error)) throw error;
        if (attempt > maxRepeats) throw afterAttempts(error, attempt, usage, answer.result?.metadata.finishReason);
        asked = askAgain(request, text, error.issues);
      }
    }
  };
}

/** The model's last message: what it said before it called tools is no part of the value. */
export function finalText(turn: readonly Message[], answer: ChatResponse): string {
  const last = turn.at(-1);
  return last?.type === 'assistant' ? last.text : responseText(answer);
}

/** The same error, with what it took to get there, and why the answer ended where that may be the reason. */
export function afterAttempts(
  error: StructuredOutputError,
  attempts: number,
  usage: Usage,
  finishReason = 'stop',
): StructuredOutputError {
  const ended = finishReason === 'stop' ? '' : `; the answer ended with '${finishReason}'`;
  return new StructuredOutputError(error.message + ended, {
    rawText: error.rawText,
    issues: error.issues,
    attempts,
    usage,
    subject: error.subject,
    details: { ...error.details, finishReason },
    cause: error,
  });
}

function accepted(
  request: ChatClientRequest,
  response: ChatClientResponse,
  answer: ChatResponse,
  usage: Usage,
): ChatClientResponse {
  const chatResponse =
    usage === answer.metadata.usage ? answer : { ...answer, metadata: { ...answer.metadata, usage } };
  return { ...response, chatResponse, turn: turnAsAsked(request.prompt.messages, response.turn) };
}

/** Only the newest answer is shown: the model learns from its faults, and the prompt does not grow from try to try. */
function askAgain(request: ChatClientRequest, text: string, issues: readonly SchemaIssue[]): ChatClientRequest {
  const { prompt } = request;
  const answer = text === '' ? [] : [assistantMessage(text)];
  const faults = issues.slice(0, MAX_ISSUES).map(describe);
  const found = faults.length === 0 ? '' : `\n${faults.join('\n')}`;
  const again = userMessage(`Your answer is not valid:${found}\nAnswer again, with the corrected value only.`);
  return withRequest(request, { prompt: prompt.withMessages([...prompt.messages, ...answer, again]) });
}

/** As many as a model can work with. */
const MAX_ISSUES = 20;

function describe({ path = [], message }: SchemaIssue): string {
  const at = path.map((key) => String(typeof key === 'object' ? key.key : key)).join('.');
  return at === '' ? `- ${message}` : `- ${at}: ${message}`;
}

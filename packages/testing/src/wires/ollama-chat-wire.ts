import type { FinishReason, JsonInput } from '@vernal/core';
import { cutText } from '../doubles/cut-text.js';
import type { ScriptAnswer, ScriptStep } from '../doubles/script-step.js';
import { argumentsText, finishReasonOf } from '../doubles/script-step.js';
import type { ChatModelWire, WireErrorKind, WireReply } from './chat-model-wire.js';
import { WIRE_SECRET } from './chat-model-wire.js';
import { fields } from './json-reading.js';
import { ollamaRequest } from './ollama-request.js';
import { jsonReply, ndjsonReply } from './wire-replies.js';
import { onlyStep } from './wire-step.js';

const MODEL = 'llama3.2';
const CREATED_AT = '2025-07-07T20:22:19.184789Z';

/** `done_reason`. Ollama says 'stop' also after tool calls, and has no content filter. */
function doneReason(reason: FinishReason): string | undefined {
  if (reason === 'stop' || reason === 'tool_calls') return 'stop';
  return reason === 'length' ? 'length' : undefined;
}

function toolCallOf(call: { readonly name: string; readonly arguments: JsonInput }): Record<string, unknown> {
  const text = argumentsText(call.arguments);
  return { function: { name: call.name, arguments: text === '' ? {} : JSON.parse(text) } };
}

function line(message: object, more: object = { done: false }): Record<string, unknown> {
  return { model: MODEL, created_at: CREATED_AT, message: { role: 'assistant', content: '', ...message }, ...more };
}

/** What only the last line holds. Counters are left out when nothing was counted, as Ollama leaves out zeros. */
function ending(answer: ScriptAnswer): Record<string, unknown> {
  const reason = finishReasonOf(answer);
  const { promptTokens, completionTokens } = answer.usage ?? {};
  return {
    done: true,
    done_reason: doneReason(reason) ?? reason,
    total_duration: 4883583458,
    load_duration: 1334875,
    ...(promptTokens === undefined ? {} : { prompt_eval_count: promptTokens, prompt_eval_duration: 342546000 }),
    ...(completionTokens === undefined ? {} : { eval_count: completionTokens, eval_duration: 4535599000 }),
  };
}

function call(steps: readonly ScriptStep[]): WireReply {
  const answer = onlyStep(steps, 'Ollama');
  const calls = answer.toolCalls ?? [];
  const message = {
    content: answer.text ?? '',
    ...(answer.reasoning === undefined ? {} : { thinking: answer.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCallOf) }),
  };
  return jsonReply(200, line(message, ending(answer)));
}

function stream(steps: readonly ScriptStep[]): WireReply {
  const answer = onlyStep(steps, 'Ollama');
  return ndjsonReply([
    ...cutText(answer.reasoning ?? '', answer.chunks).map((thinking) => line({ thinking })),
    ...cutText(answer.text ?? '', answer.chunks).map((content) => line({ content })),
    // A tool call is never cut.
    ...(answer.toolCalls ?? []).map((one) => line({ tool_calls: [toolCallOf(one)] })),
    line({}, ending(answer)),
  ]);
}

function error(kind: WireErrorKind): WireReply {
  const reply = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): WireReply =>
    jsonReply(status, { error: text }, headers);
  switch (kind) {
    case 'authentication':
      return reply(401, `unauthorized: ${WIRE_SECRET}`);
    case 'rate-limit':
      return reply(429, 'too many requests', { 'retry-after': '7' });
    case 'overloaded':
      return reply(503, 'server busy, please try again. maximum pending requests exceeded');
    case 'bad-request':
      return reply(400, 'invalid options: temperature');
    case 'not-found':
      return reply(404, "model 'unknown' not found");
    case 'mid-stream':
      return ndjsonReply([line({ content: 'partial' }), { error: 'an error was encountered while running the model' }]);
  }
}

/**
 * Ollama's chat, NDJSON. Sources: https://docs.ollama.com/api/chat, https://docs.ollama.com/api/streaming and
 * https://docs.ollama.com/api/errors. Tool calls have no id on this wire; of the usage only prompt and completion tokens exist.
 */
export const ollamaChatWire: ChatModelWire = {
  call,
  stream,
  error,
  request: ollamaRequest,
  isStream: ({ json }) => fields(json)['stream'] !== false,
  nativeFinishReason: doneReason,
};

import type { ScriptStep } from '../doubles/script-step.js';
import { callIds } from './call-ids.js';
import type { ChatModelWire, WireErrorKind, WireReply } from './chat-model-wire.js';
import { fields } from './json-reading.js';
import {
  CREATED,
  OPENAI_MODEL,
  openAiChoice,
  openAiDeltas,
  openAiFinishReason,
  openAiUsage,
} from './openai-chat-answer.js';
import { openAiChatRequest } from './openai-chat-request.js';
import { openAiError } from './openai-errors.js';
import { jsonReply, sseReply } from './wire-replies.js';
import { wireStep } from './wire-step.js';

const ID = 'chatcmpl-wire1';

function chunk(choices: readonly unknown[], more: object = {}): string {
  const data = {
    id: ID,
    object: 'chat.completion.chunk',
    created: CREATED,
    model: OPENAI_MODEL,
    service_tier: 'default',
    system_fingerprint: null,
    choices,
    ...more,
  };
  return `data: ${JSON.stringify(data)}\n\n`;
}

function call(steps: readonly ScriptStep[]): WireReply {
  const answers = steps.map(wireStep);
  const nextId = callIds('call');
  const usage = answers.find((answer) => answer.usage !== undefined)?.usage;
  return jsonReply(
    200,
    {
      id: ID,
      object: 'chat.completion',
      created: CREATED,
      model: OPENAI_MODEL,
      choices: answers.map((answer, index) => openAiChoice(answer, index, nextId)),
      ...(usage === undefined ? {} : { usage: openAiUsage(usage) }),
      service_tier: 'default',
      system_fingerprint: null,
    },
    { 'x-request-id': 'req_wire_1' },
  );
}

function stream(steps: readonly ScriptStep[]): WireReply {
  const answers = steps.map(wireStep);
  const nextId = callIds('call');
  const usage = answers.find((answer) => answer.usage !== undefined)?.usage;
  const deltas = answers.flatMap((answer, index) => [...openAiDeltas(answer, index, nextId)]);
  const events = deltas.map((delta) => chunk([delta], usage === undefined ? {} : { usage: null }));
  if (usage !== undefined) events.push(chunk([], { usage: openAiUsage(usage) }));
  return sseReply([...events, 'data: [DONE]\n\n'], { 'x-request-id': 'req_wire_1' });
}

function error(kind: WireErrorKind): WireReply {
  if (kind !== 'mid-stream') return openAiError(kind);
  const failure = {
    message: 'The server had an error while processing your request.',
    type: 'server_error',
    code: null,
  };
  return sseReply([
    chunk([{ index: 0, delta: { role: 'assistant', content: 'partial' }, finish_reason: null }]),
    `data: ${JSON.stringify({ error: failure })}\n\n`,
    'data: [DONE]\n\n',
  ]);
}

/**
 * OpenAI's chat completions. Sources: https://platform.openai.com/docs/api-reference/chat/object, …/chat/streaming and
 * https://platform.openai.com/docs/guides/error-codes. Reasoning is sent as `reasoning_content`, which OpenAI itself does not have:
 * https://api-docs.deepseek.com/guides/reasoning_model.
 */
export const openAiChatWire: ChatModelWire = {
  call,
  stream,
  error,
  request: openAiChatRequest,
  isStream: ({ json }) => fields(json)['stream'] === true,
  nativeFinishReason: openAiFinishReason,
};

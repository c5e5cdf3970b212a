import type { ScriptStep } from '../doubles/script-step.js';
import { finishReasonOf } from '../doubles/script-step.js';
import { anthropicBlocks, anthropicContent, anthropicStopReason, anthropicUsage } from './anthropic-answer.js';
import { anthropicRequest } from './anthropic-request.js';
import type { ChatModelWire, WireErrorKind, WireReply } from './chat-model-wire.js';
import { WIRE_SECRET } from './chat-model-wire.js';
import { fields } from './json-reading.js';
import { jsonReply, sseReply } from './wire-replies.js';
import { onlyStep } from './wire-step.js';

const MODEL = 'claude-sonnet-4-5-20250929';
const REQUEST_ID = 'req_011CSHoEeqs5C35K2UUqR7Fy';

const message = (content: readonly unknown[], stopReason: string | null, usage: object): Record<string, unknown> => ({
  id: 'msg_wire1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage,
});

function event(data: Readonly<Record<string, unknown>>): string {
  return `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;
}

function call(steps: readonly ScriptStep[]): WireReply {
  const answer = onlyStep(steps, 'Anthropic');
  const reason = finishReasonOf(answer);
  const body = message(
    anthropicContent(answer),
    anthropicStopReason(reason) ?? reason,
    anthropicUsage(answer.usage ?? {}),
  );
  return jsonReply(200, body, { 'request-id': REQUEST_ID });
}

function stream(steps: readonly ScriptStep[]): WireReply {
  const answer = onlyStep(steps, 'Anthropic');
  const reason = finishReasonOf(answer);
  const usage = anthropicUsage(answer.usage ?? {});
  return sseReply(
    [
      // The first event already counts a token of output; the last one repeats every counter with its final value.
      event({ type: 'message_start', message: message([], null, { ...usage, output_tokens: 1 }) }),
      event({ type: 'ping' }),
      ...[...anthropicBlocks(answer)].map(event),
      event({
        type: 'message_delta',
        delta: { stop_reason: anthropicStopReason(reason) ?? reason, stop_sequence: null },
        usage,
      }),
      event({ type: 'message_stop' }),
    ],
    { 'request-id': REQUEST_ID },
  );
}

function failure(type: string, text: string): Record<string, unknown> {
  return { type: 'error', error: { type, message: text }, request_id: REQUEST_ID };
}

function error(kind: WireErrorKind): WireReply {
  const reply = (
    status: number,
    type: string,
    text: string,
    headers: Readonly<Record<string, string>> = {},
  ): WireReply => jsonReply(status, failure(type, text), { 'request-id': REQUEST_ID, ...headers });
  switch (kind) {
    case 'authentication':
      return reply(401, 'authentication_error', `invalid x-api-key: ${WIRE_SECRET}`);
    case 'rate-limit':
      return reply(
        429,
        'rate_limit_error',
        "This request would exceed your account's rate limit. Please try again later.",
        { 'retry-after': '7' },
      );
    case 'overloaded':
      return reply(529, 'overloaded_error', 'Overloaded');
    case 'bad-request':
      return reply(400, 'invalid_request_error', 'max_tokens: Input should be greater than or equal to 1');
    case 'not-found':
      return reply(404, 'not_found_error', 'model: claude-unknown');
    case 'mid-stream':
      return sseReply([
        event({
          type: 'message_start',
          message: message([], null, anthropicUsage({ promptTokens: 9, completionTokens: 1 })),
        }),
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'partial' } }),
        event(failure('overloaded_error', 'Overloaded')),
      ]);
  }
}

/**
 * Anthropic's messages. Sources: https://docs.claude.com/en/api/messages, …/en/docs/build-with-claude/streaming and …/en/api/errors.
 * This wire always counts tokens: without `usage` in the script, zeros.
 */
export const anthropicMessagesWire: ChatModelWire = {
  call,
  stream,
  error,
  request: anthropicRequest,
  isStream: ({ json }) => fields(json)['stream'] === true,
  nativeFinishReason: anthropicStopReason,
};

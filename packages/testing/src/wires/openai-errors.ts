import type { WireErrorKind, WireReply } from './chat-model-wire.js';
import { WIRE_SECRET } from './chat-model-wire.js';
import { jsonReply } from './wire-replies.js';

interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** The error envelope of every endpoint: https://platform.openai.com/docs/guides/error-codes */
export function openAiError(kind: Exclude<WireErrorKind, 'mid-stream'>): WireReply {
  const reply = (status: number, error: OpenAiError, headers: Readonly<Record<string, string>> = {}): WireReply =>
    jsonReply(status, { error }, { 'x-request-id': 'req_wire_1', ...headers });
  switch (kind) {
    case 'authentication':
      return reply(401, {
        message: `Incorrect API key provided: ${WIRE_SECRET}. You can find your API key at https://platform.openai.com/account/api-keys.`,
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      });
    case 'rate-limit':
      return reply(
        429,
        {
          message: 'Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.',
          type: 'requests',
          param: null,
          code: 'rate_limit_exceeded',
        },
        { 'retry-after': '7' },
      );
    case 'overloaded':
      return reply(503, {
        message: 'The engine is currently overloaded, please try again later',
        type: 'server_error',
        param: null,
        code: null,
      });
    case 'bad-request':
      return reply(400, {
        message: "Invalid value for 'temperature': expected a number between 0 and 2.",
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'invalid_value',
      });
    case 'not-found':
      return reply(404, {
        message: 'The requested model does not exist or you do not have access to it.',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      });
  }
}

import { VernalError } from '@vernal/core';
import type { OpenAiConnection } from './open-ai-connection.js';

/** Refuses a connection to OpenAI itself without a key: the server would only say so later. */
export function requireKey(connection: OpenAiConnection): void {
  if (connection.client !== undefined || connection.baseURL !== undefined) return;
  if (connection.apiKey !== undefined && connection.apiKey.trim() !== '') return;
  throw new VernalError('OpenAI needs a key: give `apiKey`, or `baseURL` for a server that needs none', {
    code: 'invalid_argument',
    subject: 'apiKey',
  });
}

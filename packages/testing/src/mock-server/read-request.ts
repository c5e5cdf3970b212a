import type { IncomingMessage } from 'node:http';
import type { MockRequest } from './mock-reply.js';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The request with its whole body. */
export async function readRequest(incoming: IncomingMessage): Promise<MockRequest> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of incoming) text += decoder.decode(bytes, { stream: true });
  text += decoder.decode();
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers, text, json: parsed(text) };
}

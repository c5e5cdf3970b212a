import type { WireReply } from './chat-model-wire.js';

/**
 * A JSON body in one part. `headers` are added to the content type.
 *
 * @example
 * jsonReply(429, { error: 'too many requests' }, { 'retry-after': '7' });
 */
export function jsonReply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): WireReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, parts: [JSON.stringify(body)] };
}

/**
 * A stream of server-sent events, status 200. Each event is the text that goes out, with its field names and its blank line.
 *
 * @example
 * sseReply(['data: {"text":"Hello"}\n\n', 'data: [DONE]\n\n']);
 */
export function sseReply(events: readonly string[], headers: Readonly<Record<string, string>> = {}): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    parts: events,
  };
}

/** A stream of JSON lines, status 200: one part, and one line, a value. */
export function ndjsonReply(values: readonly unknown[]): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    parts: values.map((value) => `${JSON.stringify(value)}\n`),
  };
}

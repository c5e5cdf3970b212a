import type { WireReply } from './chat-model-wire.js';

/** A JSON body. */
export function jsonReply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): WireReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, parts: [JSON.stringify(body)] };
}

/** A stream of server-sent events. */
export function sseReply(events: readonly string[], headers: Readonly<Record<string, string>> = {}): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    parts: events,
  };
}

/** A stream of JSON lines. */
export function ndjsonReply(values: readonly unknown[]): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    parts: values.map((value) => `${JSON.stringify(value)}\n`),
  };
}

import type { EventStore } from '@modelcontextprotocol/server';
import { requireCount } from '@vernal/core/adapter';

const DEFAULT_MAX_EVENTS = 10_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How much is kept. */
export interface InMemoryEventStoreOptions {
  /** Events of all streams; the oldest go first. Default 10,000. */
  readonly maxEvents?: number | undefined;
  /** Bytes of all events, as JSON; the oldest go first, and what is larger is not kept. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Keeps what was sent on streams, in this process, so that a client whose connection broke gets the rest.
 * Throws `invalid_argument` for a count that is none.
 *
 * @example
 * mcpHttpHandler(server, { eventStore: inMemoryEventStore() });
 */
export function inMemoryEventStore({
  maxEvents = DEFAULT_MAX_EVENTS,
  maxBytes = DEFAULT_MAX_BYTES,
}: InMemoryEventStoreOptions = {}): EventStore {
  requireCount(maxEvents, 'maxEvents');
  requireCount(maxBytes, 'maxBytes');
  /** Oldest first. */
  const events = new Map<string, { readonly streamId: string; readonly json: Uint8Array }>();
  let bytes = 0;
  return {
    async storeEvent(streamId, message) {
      const id = crypto.randomUUID();
      const json = encoder.encode(JSON.stringify(message));
      events.set(id, { streamId, json });
      bytes += json.byteLength;
      for (const [oldest, event] of events) {
        if (events.size <= maxEvents && bytes <= maxBytes) break;
        events.delete(oldest);
        bytes -= event.json.byteLength;
      }
      return id;
    },
    getStreamIdForEventId: async (id) => events.get(id)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = events.get(lastEventId)?.streamId ?? '';
      let after = false;
      for (const [id, event] of [...events]) {
        if (after && event.streamId === streamId) {
          const message = JSON.parse(decoder.decode(event.json));
          // The first event of a stream holds no message: it is there to be named as the last one seen.
          if ('jsonrpc' in message) await send(id, message);
        }
        if (id === lastEventId) after = true;
      }
      return streamId;
    },
  };
}

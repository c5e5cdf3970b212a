import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { requireCount } from '@vernal/core/adapter';

const DEFAULT_MAX_EVENTS = 10_000;

/** How much is kept. */
export interface InMemoryEventStoreOptions {
  /** Events of all streams; the oldest go first. Default 10,000. */
  readonly maxEvents?: number | undefined;
}

/**
 * Keeps what was sent on streams, in this process, so that a client whose connection broke gets the rest.
 * Throws `invalid_argument` for a count that is none.
 *
 * @example
 * mcpHttpHandler(server, { eventStore: inMemoryEventStore() });
 */
export function inMemoryEventStore({ maxEvents = DEFAULT_MAX_EVENTS }: InMemoryEventStoreOptions = {}): EventStore {
  requireCount(maxEvents, 'maxEvents');
  /** Oldest first. */
  const events = new Map<string, { readonly streamId: string; readonly message: JSONRPCMessage }>();
  return {
    async storeEvent(streamId, message) {
      const id = crypto.randomUUID();
      events.set(id, { streamId, message });
      const [oldest] = events.keys();
      if (events.size > maxEvents && oldest !== undefined) events.delete(oldest);
      return id;
    },
    getStreamIdForEventId: async (id) => events.get(id)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = events.get(lastEventId)?.streamId ?? '';
      let after = false;
      for (const [id, event] of [...events]) {
        // The first event of a stream holds no message: it is there to be named as the last one seen.
        if (after && event.streamId === streamId && 'jsonrpc' in event.message) await send(id, event.message);
        if (id === lastEventId) after = true;
      }
      return streamId;
    },
  };
}

import type { EventStore } from '@modelcontextprotocol/server';

/**
 * One session's part of a store that all sessions share. The SDK gives the stream of a session's own messages the same name in every
 * session, and believes any event id: here each session has names of its own, and what another one was sent does not exist.
 */
export function sessionEventStore(store: EventStore, sessionId: string): EventStore {
  // Stores that put the stream into the event's id part the two by '_'.
  const prefix = `${sessionId}:`;
  const shared = (streamId: string): string => prefix + streamId.replaceAll('_', '~');
  const own = (streamId: string | undefined): string | undefined =>
    streamId?.startsWith(prefix) === true ? streamId.slice(prefix.length).replaceAll('~', '_') : undefined;
  const streamOf = async (eventId: string): Promise<string | undefined> =>
    own(
      store.getStreamIdForEventId === undefined
        ? await store.replayEventsAfter(eventId, { send: async () => {} })
        : await store.getStreamIdForEventId(eventId),
    );
  return {
    storeEvent: (streamId, message) => store.storeEvent(shared(streamId), message),
    getStreamIdForEventId: streamOf,
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = await streamOf(lastEventId);
      if (streamId === undefined) return '';
      await store.replayEventsAfter(lastEventId, { send });
      return streamId;
    },
  };
}

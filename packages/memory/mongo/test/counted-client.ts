import type { CommandStartedEvent, CommandSucceededEvent, MongoClient } from 'mongodb';

/** Commands that were sent, and the documents that came back. */
export interface Sent {
  readonly names: readonly string[];
  readonly returned: number;
}

const HOUSEKEEPING = new Set(['hello', 'ismaster', 'ping', 'endSessions', 'buildInfo']);

/** What a client with `monitorCommands` sends, since the last call. */
export function sentBy(client: MongoClient): () => Sent {
  let names: string[] = [];
  let returned = 0;
  client.on('commandStarted', ({ commandName }: CommandStartedEvent) => {
    if (!HOUSEKEEPING.has(commandName)) names.push(commandName);
  });
  client.on('commandSucceeded', ({ reply }: CommandSucceededEvent) => {
    const { firstBatch = [], nextBatch = [] } = Object(Object(reply).cursor) as Record<string, unknown[]>;
    returned += firstBatch.length + nextBatch.length;
  });
  return () => {
    const sent = { names, returned };
    names = [];
    returned = 0;
    return sent;
  };
}

// @vernal/memory-cassandra, and its prepared statements and batches through the driver.
import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { Client } from 'cassandra-driver';
import { listening } from './recorded-calls.mjs';

export async function cassandraStore(url, keyspace) {
  const { host, searchParams } = new URL(url);
  const client = new Client({
    contactPoints: [host],
    localDataCenter: searchParams.get('localDataCenter') ?? 'datacenter1',
    socketOptions: { readTimeout: 60_000 },
  });
  await client.connect();
  return {
    repository: new CassandraChatMemoryRepository({ client, keyspace, initializeSchema: 'always' }),
    recording: (calls) =>
      new CassandraChatMemoryRepository({ client: listening(client, ['execute', 'batch'], calls), keyspace }),
    compiled: (call) => call,
    replay: ({ method, args }) => client[method](...args),
    async drop() {
      try {
        await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`);
      } finally {
        await client.shutdown();
      }
    },
  };
}

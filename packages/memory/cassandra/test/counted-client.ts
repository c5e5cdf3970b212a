import type { CassandraMemoryClient, CassandraMemoryResult } from '@vernal/memory-cassandra';

/** A client, and how many statements were sent and rows read since the last call of `taken`. */
export function countedClient(client: CassandraMemoryClient): {
  readonly client: CassandraMemoryClient;
  taken(): number;
} {
  let count = 0;
  const counted = async (
    statements: number,
    result: Promise<CassandraMemoryResult>,
  ): Promise<CassandraMemoryResult> => {
    count += statements;
    const { rows } = await result;
    count += rows?.length ?? 0;
    return result;
  };
  return {
    client: {
      execute: (query, params, options) => counted(1, client.execute(query, params, options)),
      batch: (statements, options) => counted(statements.length, client.batch(statements, options)),
    },
    taken() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

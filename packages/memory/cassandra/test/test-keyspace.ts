import { Client } from 'cassandra-driver';

/** A client of the driver, as an application has one, and a keyspace that goes with it. */
export interface TestKeyspace {
  readonly client: Client;
  readonly keyspace: string;
  /** Deletes what a table and its parts hold. To drop and make tables takes a server longer than most tests. */
  empty(table: string): Promise<void>;
  /** Drops the keyspace and closes the client. */
  end(): Promise<void>;
}

let made = 0;

export async function testKeyspace(url: string): Promise<TestKeyspace> {
  const client = new Client({ contactPoints: [new URL(url).host], localDataCenter: 'datacenter1' });
  await client.connect();
  const keyspace = `vernal_${process.pid.toString(36)}_${Date.now().toString(36)}_${++made}`;
  return {
    client,
    keyspace,
    async empty(table) {
      const keysOf = async (name: string): Promise<unknown[]> =>
        (await client.execute(`SELECT DISTINCT conversation_key FROM ${keyspace}.${name}`)).rows.map((row) =>
          row.get(0),
        );
      for (const key of await keysOf(table)) {
        // Conditional, as the writes are: a plain one may be later than the next write.
        const statements = [
          `DELETE layout FROM ${keyspace}.${table} WHERE conversation_key = ? IF layout != 0`,
          `DELETE FROM ${keyspace}.${table} WHERE conversation_key = ?`,
        ];
        const queries = statements.map((query) => ({ query, params: [key] }));
        await client.batch(queries, { prepare: true, logged: false });
      }
      for (const key of await keysOf(`${table}_part`))
        await client.execute(
          `DELETE FROM ${keyspace}.${table}_part USING TIMESTAMP ? WHERE conversation_key = ?`,
          [(Date.now() - 1) * 1000, key],
          { prepare: true },
        );
    },
    async end() {
      // Cassandra takes its time for this.
      await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`, [], { readTimeout: 60_000 });
      await client.shutdown();
    },
  };
}

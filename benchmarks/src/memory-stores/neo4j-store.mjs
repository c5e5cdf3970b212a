// @vernal/memory-neo4j, and its statements, each in a session of its own.
import { Neo4jChatMemoryRepository } from '@vernal/memory-neo4j';
import neo4j from 'neo4j-driver';

const LABELS = ['session', 'message', 'toolCall', 'toolResponse', 'metadata', 'media'];

export function neo4jStore(url, name) {
  const driver = neo4j.driver(url, undefined, { telemetryDisabled: true });
  const labels = Object.fromEntries(LABELS.map((label) => [label, `${name}_${label}`]));
  const listening = (calls) => ({
    executeQueryBookmarkManager: driver.executeQueryBookmarkManager,
    session(config) {
      const session = driver.session(config);
      return {
        run(...args) {
          calls.push({ config, args });
          return session.run(...args);
        },
        close: () => session.close(),
      };
    },
  });
  const { executeQueryBookmarkManager: bookmarkManager } = driver;
  return {
    repository: new Neo4jChatMemoryRepository({ driver, labels, initializeSchema: 'always' }),
    recording: (calls) => new Neo4jChatMemoryRepository({ driver: listening(calls), labels }),
    compiled: ({ config: { defaultAccessMode, fetchSize }, args }) => ({
      config: { defaultAccessMode, fetchSize },
      args,
    }),
    async replay({ config, args }) {
      const session = driver.session({ ...config, bookmarkManager });
      await session.run(...args);
      await session.close();
    },
    async drop() {
      const session = driver.session();
      try {
        for (const label of Object.values(labels))
          await session.run(`MATCH (n:${label}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS`);
        const found = await session.run(
          'SHOW INDEXES YIELD name, labelsOrTypes, owningConstraint WHERE labelsOrTypes[0] IN $names RETURN name, owningConstraint IS NULL AS isIndex',
          { names: Object.values(labels) },
        );
        for (const row of found.records)
          await session.run(`DROP ${row.get('isIndex') ? 'INDEX' : 'CONSTRAINT'} \`${row.get('name')}\` IF EXISTS`);
      } finally {
        await session.close();
        await driver.close();
      }
    },
  };
}

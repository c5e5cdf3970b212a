import type { JdbcDialect } from '../jdbc-dialect.js';

const NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))";

/** SQLite 3.35 or newer. */
export const sqliteDialect: JdbcDialect = {
  name: 'SQLite',
  createTables: ({ conversation, message, messageName, version, systemIndex }) => [
    {
      text: `CREATE TABLE IF NOT EXISTS ${conversation} (
        conversation_key TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, sequence INTEGER NOT NULL,
        writer TEXT NOT NULL, created_at TEXT NOT NULL DEFAULT ${NOW}) WITHOUT ROWID`,
    },
    {
      text: `CREATE TABLE IF NOT EXISTS ${message} (
        conversation_key TEXT NOT NULL, sequence INTEGER NOT NULL, type TEXT NOT NULL,
        text TEXT NOT NULL, message TEXT NOT NULL, created_at TEXT NOT NULL DEFAULT ${NOW},
        PRIMARY KEY (conversation_key, sequence))`,
    },
    {
      text: `CREATE INDEX IF NOT EXISTS ${systemIndex} ON ${messageName} (conversation_key, sequence) WHERE type = 'system'`,
    },
    { text: `CREATE TABLE IF NOT EXISTS ${version} (version INTEGER NOT NULL)` },
  ],
  claim: ({ conversation }, { key, id, count, expected, writer }) => ({
    text: `INSERT INTO ${conversation} AS c (conversation_key, conversation_id, sequence, writer) VALUES (?, ?, ${count}, ?)
      ON CONFLICT (conversation_key) DO UPDATE SET sequence = c.sequence + ${count}, writer = excluded.writer
      ${expected === undefined ? '' : 'WHERE c.sequence = 0'}`,
    values: [key, id, writer],
  }),
  limited: (query, count) => `${query} LIMIT ${count}`,
};

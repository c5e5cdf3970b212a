import type { JdbcDialect } from '../jdbc-dialect.js';

/** PostgreSQL 13 or newer, and PGlite. */
export const postgresDialect: JdbcDialect = {
  name: 'PostgreSQL',
  createTables: ({ conversation, message, version, systemIndex, lock }) => [
    // Two that create at once would both find nothing there, and one of them fail.
    { text: 'SELECT pg_advisory_xact_lock(hashtext(?))', values: [lock] },
    {
      text: `CREATE TABLE IF NOT EXISTS ${conversation} (
        conversation_key VARCHAR(120) COLLATE "C" PRIMARY KEY, conversation_id TEXT NOT NULL, sequence BIGINT NOT NULL,
        writer VARCHAR(36) NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now())`,
    },
    {
      text: `CREATE TABLE IF NOT EXISTS ${message} (
        conversation_key VARCHAR(120) COLLATE "C" NOT NULL, sequence BIGINT NOT NULL, type VARCHAR(10) NOT NULL,
        text TEXT NOT NULL, message TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
        PRIMARY KEY (conversation_key, sequence))`,
    },
    {
      text: `CREATE INDEX IF NOT EXISTS ${systemIndex} ON ${message} (conversation_key, sequence) WHERE type = 'system'`,
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

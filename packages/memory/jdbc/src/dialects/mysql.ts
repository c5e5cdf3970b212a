import type { JdbcDialect } from '../jdbc-dialect.js';

const KEY = 'VARCHAR(120) CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'LONGTEXT CHARACTER SET utf8mb4';

/** MySQL 8 and MariaDB 10.6, or newer. */
export const mysqlDialect: JdbcDialect = {
  name: 'MySQL',
  createTables: ({ conversation, message, version, systemIndex }) => [
    {
      text: `CREATE TABLE IF NOT EXISTS ${conversation} (
        conversation_key ${KEY} PRIMARY KEY, conversation_id ${TEXT} NOT NULL, sequence BIGINT NOT NULL,
        writer VARCHAR(36) CHARACTER SET ascii NOT NULL, created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))
        ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`,
    },
    {
      text: `CREATE TABLE IF NOT EXISTS ${message} (
        conversation_key ${KEY} NOT NULL, sequence BIGINT NOT NULL, type VARCHAR(10) CHARACTER SET ascii NOT NULL,
        text ${TEXT} NOT NULL, message ${TEXT} NOT NULL, created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
        PRIMARY KEY (conversation_key, sequence), INDEX ${systemIndex} (conversation_key, type, sequence))
        ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`,
    },
    { text: `CREATE TABLE IF NOT EXISTS ${version} (version INTEGER NOT NULL) ENGINE = InnoDB` },
  ],
  claim: ({ conversation }, { key, id, count, expected, writer }) => {
    // Assignments go from left to right, and each sees what those before it have set.
    const changed = (value: string, old: string): string =>
      expected === undefined ? value : `IF(sequence = 0, ${value}, ${old})`;
    return {
      text: `INSERT INTO ${conversation} (conversation_key, conversation_id, sequence, writer) VALUES (?, ?, ${count}, ?)
        ON DUPLICATE KEY UPDATE writer = ${changed('?', 'writer')}, sequence = ${changed(`sequence + ${count}`, 'sequence')}`,
      values: [key, id, writer, writer],
    };
  },
  limited: (query, count) => `${query} LIMIT ${count}`,
  fromNothing: ' FROM DUAL',
  // MariaDB cuts values in a UNION to what it took their type for, in silence.
  rowsAtOnce: 1,
};

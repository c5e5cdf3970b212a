import type { JdbcDialect } from '../jdbc-dialect.js';

const KEY = 'VARCHAR(120) COLLATE Latin1_General_BIN2';
const NOW = 'DATETIME2(3) NOT NULL DEFAULT SYSUTCDATETIME()';

const unlessThere = (table: string, statement: string): { readonly text: string } => ({
  text: `IF OBJECT_ID(N'${table.replaceAll("'", "''")}', N'U') IS NULL ${statement}`,
});

/** SQL Server 2016 or newer, and Azure SQL. */
export const sqlServerDialect: JdbcDialect = {
  name: 'SQL Server',
  createTables: ({ conversation, message, version, systemIndex }) => [
    unlessThere(
      conversation,
      `CREATE TABLE ${conversation} (
        conversation_key ${KEY} NOT NULL PRIMARY KEY, conversation_id NVARCHAR(MAX) NOT NULL, sequence BIGINT NOT NULL,
        writer VARCHAR(36) NOT NULL, created_at ${NOW})`,
    ),
    unlessThere(
      message,
      `CREATE TABLE ${message} (
        conversation_key ${KEY} NOT NULL, sequence BIGINT NOT NULL, type VARCHAR(10) NOT NULL,
        text NVARCHAR(MAX) NOT NULL, message NVARCHAR(MAX) NOT NULL, created_at ${NOW},
        PRIMARY KEY (conversation_key, sequence), INDEX ${systemIndex} (conversation_key, type, sequence))`,
    ),
    unlessThere(version, `CREATE TABLE ${version} (version INTEGER NOT NULL)`),
  ],
  claim: ({ conversation }, { key, id, count, expected, writer }) => ({
    // The hint keeps a second writer out between the look and the insert.
    text: `MERGE ${conversation} WITH (HOLDLOCK) AS c USING (SELECT ? AS conversation_key) AS k ON c.conversation_key = k.conversation_key
      WHEN MATCHED ${expected === undefined ? '' : 'AND c.sequence = 0 '}THEN UPDATE SET sequence = c.sequence + ${count}, writer = ?
      WHEN NOT MATCHED THEN INSERT (conversation_key, conversation_id, sequence, writer) VALUES (k.conversation_key, ?, ${count}, ?);`,
    values: [key, writer, id, writer],
  }),
  limited: (query, count) =>
    // FETCH takes no zero.
    count === 0 ? query.replace(/^SELECT/, 'SELECT TOP 0') : `${query} OFFSET 0 ROWS FETCH NEXT ${count} ROWS ONLY`,
};

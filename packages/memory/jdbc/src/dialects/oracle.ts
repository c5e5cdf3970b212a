import type { JdbcDialect } from '../jdbc-dialect.js';

const NOW = 'TIMESTAMP(3) WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL';

/** ORA-00955: there is one of that name already. */
const unlessThere = (statement: string): { readonly text: string } => ({
  text: `BEGIN EXECUTE IMMEDIATE '${statement.replaceAll("'", "''")}'; EXCEPTION WHEN OTHERS THEN IF SQLCODE <> -955 THEN RAISE; END IF; END;`,
});

/** Oracle 12.2 or newer. Its empty text is NULL, so that `text` may be. */
export const oracleDialect: JdbcDialect = {
  name: 'Oracle',
  createTables: ({ conversation, message, version, systemIndex }) => [
    unlessThere(`CREATE TABLE ${conversation} (
      conversation_key VARCHAR2(120) PRIMARY KEY, conversation_id CLOB NOT NULL, sequence NUMBER(19) NOT NULL,
      writer VARCHAR2(36) NOT NULL, created_at ${NOW})`),
    unlessThere(`CREATE TABLE ${message} (
      conversation_key VARCHAR2(120) NOT NULL, sequence NUMBER(19) NOT NULL, type VARCHAR2(10) NOT NULL,
      text CLOB, message CLOB NOT NULL, created_at ${NOW}, PRIMARY KEY (conversation_key, sequence))`),
    unlessThere(`CREATE INDEX ${systemIndex} ON ${message} (conversation_key, type, sequence)`),
    unlessThere(`CREATE TABLE ${version} (version NUMBER(9) NOT NULL)`),
  ],
  claim: ({ conversation }, { key, id, count, expected, writer }) => ({
    text: `MERGE INTO ${conversation} c USING (SELECT ? AS conversation_key FROM dual) k ON (c.conversation_key = k.conversation_key)
      WHEN MATCHED THEN UPDATE SET sequence = c.sequence + ${count}, writer = ?${expected === undefined ? '' : ' WHERE c.sequence = 0'}
      WHEN NOT MATCHED THEN INSERT (conversation_key, conversation_id, sequence, writer) VALUES (k.conversation_key, ?, ${count}, ?)`,
    values: [key, writer, id, writer],
  }),
  limited: (query, count) => `${query} FETCH FIRST ${count} ROWS ONLY`,
  fromNothing: ' FROM dual',
  // Long texts may not be bound in the branches of a UNION.
  rowsAtOnce: 1,
};

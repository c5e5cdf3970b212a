import type { SqlStatement } from '@vernal/sql';
import type { JdbcTables } from './jdbc-tables.js';

/** A write's claim on the next sequences of a conversation. */
export interface SequenceClaim {
  /** `conversationKey` of the id. */
  readonly key: string;
  /** The id, as `storableText` writes it. */
  readonly id: string;
  /** How many sequences. */
  readonly count: number;
  /** Claim only if the conversation stands there. */
  readonly expected: number | undefined;
  /** Unlike any other: what the following statements recognise their claim by. */
  readonly writer: string;
}

/**
 * What databases write differently. Everything else is written once, in the SQL that they share.
 * Source: `JdbcChatMemoryRepositoryDialect` of spring-ai-model-chat-memory-repository-jdbc.
 */
export interface JdbcDialect {
  /** For errors. */
  readonly name: string;
  /** Statements that make the tables, and do nothing where they are. One list, one transaction where the engine has that for tables. */
  createTables(tables: JdbcTables): readonly SqlStatement[];
  /**
   * Inserts the conversation with `sequence = count`, or adds `count` to its sequence, and sets its `writer`; with `expected` 0 or undefined,
   * for with another one the conversation must be there, and an ordinary UPDATE does it. With `expected` 0 it changes a row only if its
   * sequence is 0.
   */
  claim(tables: JdbcTables, claim: SequenceClaim): SqlStatement;
  /** `query`, which ends with ORDER BY, for its first `count` rows. */
  limited(query: string, count: number): string;
  /** What follows a SELECT of values alone. Default nothing. */
  readonly fromNothing?: string | undefined;
  /** How many messages one INSERT takes, as a UNION of SELECTs; 1 for engines where long values may not stand in one. Default 200. */
  readonly rowsAtOnce?: number | undefined;
}

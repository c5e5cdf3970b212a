import { type ChatMemoryRepository, type CopiedConversations, copyConversations } from '@vernal/core';
import type { SqlClient } from '@vernal/sql';
import { type SpringAiTableOptions, springAiConversations } from './spring-ai-conversations.js';

/** Where from, where to. */
export interface MigrateSpringAiMemoryOptions extends SpringAiTableOptions {
  /** The database with Spring AI's table, which stays as it is. */
  readonly from: SqlClient;
  /** Any repository, of this package or another. */
  readonly to: ChatMemoryRepository;
}

/**
 * Copies the conversations of Spring AI's `JdbcChatMemoryRepository` into a repository, each in one write. A conversation that is there
 * already is left alone, so that a migration that was cut short is run again.
 *
 * @throws VernalError `store_read` for the table, and whatever the repository throws
 * @example
 * ```ts
 * const moved = await migrateSpringAiMemory({ from: pool, to: repository });
 * console.log(`${moved.conversations} conversations`);
 * ```
 */
export function migrateSpringAiMemory(options: MigrateSpringAiMemoryOptions): Promise<CopiedConversations> {
  return copyConversations(springAiConversations(options.from, options), options.to, options);
}

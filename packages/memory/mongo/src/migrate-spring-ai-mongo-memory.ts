import { type ChatMemoryRepository, type CopiedConversations, copyConversations } from '@vernal/core';
import type { Collection } from 'mongodb';
import { type SpringAiMongoOptions, springAiMongoConversations } from './spring-ai-mongo-conversations.js';

/** Where from, where to. */
export interface MigrateSpringAiMongoMemoryOptions extends SpringAiMongoOptions {
  /** Spring AI's collection, `ai_chat_memory`, which stays as it is. */
  readonly from: Collection;
  /** Any repository, of this package or another. */
  readonly to: ChatMemoryRepository;
}

/**
 * Copies the conversations of Spring AI's `MongoChatMemoryRepository` into a repository, each in one write. A conversation that is there
 * already is left alone, so that a migration that was cut short is run again.
 *
 * @throws VernalError `store_read` for the collection, and whatever the repository throws
 * @example
 * ```ts
 * const moved = await migrateSpringAiMongoMemory({ from: client.db('test').collection('ai_chat_memory'), to: repository });
 * console.log(`${moved.conversations} conversations`);
 * ```
 */
export function migrateSpringAiMongoMemory(options: MigrateSpringAiMongoMemoryOptions): Promise<CopiedConversations> {
  return copyConversations(springAiMongoConversations(options.from, options), options.to, options);
}

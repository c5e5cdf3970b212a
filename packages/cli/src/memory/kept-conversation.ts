import type { ChatMemoryRepository } from '@vernal/core';
import type { CommandArguments } from '../arguments.js';
import { usageError } from '../usage-error.js';
import { type MemoryAddress, memoryAddress } from './memory-address.js';

/** A conversation that outlives the program. */
export interface KeptConversation extends AsyncDisposable {
  readonly repository: ChatMemoryRepository;
  readonly id: string;
  /** How many messages it has already. */
  readonly messages: number;
}

/** Options that only a conversation has. */
export const MEMORY_OPTIONS = {
  memory: { type: 'string', multiple: true },
  conversation: { type: 'string', multiple: true },
} as const;

/** Opens what `--memory` names; undefined without it. Fails here and not after the first answer when it is not there. */
export async function keptConversation(
  given: CommandArguments,
  cwd: string,
  signal: AbortSignal,
): Promise<KeptConversation | undefined> {
  const [memory, second] = given.values('memory');
  const [id = 'default', other] = given.values('conversation');
  if (second !== undefined) throw usageError('--memory is there twice: name one', 'memory');
  if (other !== undefined) throw usageError('--conversation is there twice: name one', 'conversation');
  if (memory === undefined) {
    if (given.values('conversation').length === 0) return undefined;
    throw usageError('--conversation is of no use without --memory, which says where it is kept', 'conversation');
  }
  const repository = await repositoryAt(memoryAddress(memory, cwd));
  const close = async (): Promise<void> => {
    await repository.close?.();
  };
  try {
    const { messages } = await repository.findByConversationId(id, { signal });
    return { repository, id, messages: messages.length, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Each package is imported where it is needed only, as its driver is. */
async function repositoryAt({ keeper, url }: MemoryAddress): Promise<ChatMemoryRepository> {
  const options = { url, initializeSchema: 'always' } as const;
  switch (keeper) {
    case 'jdbc':
      return new (await import('@vernal/memory-jdbc')).JdbcChatMemoryRepository(options);
    case 'redis':
      return new (await import('@vernal/memory-redis')).RedisChatMemoryRepository(options);
    case 'mongo':
      return new (await import('@vernal/memory-mongo')).MongoChatMemoryRepository(options);
    case 'neo4j':
      return new (await import('@vernal/memory-neo4j')).Neo4jChatMemoryRepository(options);
    case 'cassandra':
      return new (await import('@vernal/memory-cassandra')).CassandraChatMemoryRepository(options);
  }
}

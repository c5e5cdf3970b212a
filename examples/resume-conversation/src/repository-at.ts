import type { ChatMemoryRepository } from '@vernal/core';

/** The repository that an address names. Only its package and its driver are loaded. */
export async function repositoryAt(url: string): Promise<ChatMemoryRepository> {
  const options = { url, initializeSchema: 'always' } as const;
  switch (new URL(url).protocol) {
    case 'redis:': {
      const { RedisChatMemoryRepository } = await import('@vernal/memory-redis');
      return new RedisChatMemoryRepository(options);
    }
    case 'mongodb:': {
      const { MongoChatMemoryRepository } = await import('@vernal/memory-mongo');
      return new MongoChatMemoryRepository(options);
    }
    case 'bolt:':
    case 'neo4j:': {
      const { Neo4jChatMemoryRepository } = await import('@vernal/memory-neo4j');
      return new Neo4jChatMemoryRepository(options);
    }
    case 'cassandra:': {
      const { CassandraChatMemoryRepository } = await import('@vernal/memory-cassandra');
      return new CassandraChatMemoryRepository(options);
    }
    default: {
      const { JdbcChatMemoryRepository } = await import('@vernal/memory-jdbc');
      return new JdbcChatMemoryRepository(options);
    }
  }
}

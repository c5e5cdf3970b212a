import { Neo4jChatMemoryRepository } from '@vernal/memory-neo4j';
import { appendTurns } from '@vernal/testing/memory';
import type { ProcessTurns } from './other-process.js';

const { url, labels, ...turns } = JSON.parse(process.argv[2] ?? '{}') as ProcessTurns;
const repository = new Neo4jChatMemoryRepository({ url, labels, initializeSchema: 'always' });
await appendTurns(repository, turns);
await repository.close();

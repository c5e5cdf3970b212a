import { CosmosDbChatMemoryRepository } from '@vernal/memory-cosmos-db';
import { appendTurns } from '@vernal/testing/memory';
import type { ProcessTurns } from './other-process.js';

const { endpoint, key, containerName, ...turns } = JSON.parse(process.argv[2] ?? '{}') as ProcessTurns;
const repository = new CosmosDbChatMemoryRepository({ endpoint, key, containerName, initializeSchema: 'always' });
await appendTurns(repository, { ...turns, stored: (turn) => void process.stdout.write(`${turn}\n`) });
await repository.close();

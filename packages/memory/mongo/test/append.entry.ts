import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { appendTurns } from '@vernal/testing/memory';
import type { ProcessTurns } from './other-process.js';

const { url, databaseName, collectionName, ...turns } = JSON.parse(process.argv[2] ?? '{}') as ProcessTurns;
const repository = new MongoChatMemoryRepository({ url, databaseName, collectionName });
await appendTurns(repository, turns);
await repository.close();

import { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { appendTurns } from '@vernal/testing/memory';
import type { ProcessTurns } from './other-process.js';

const { url, keyPrefix, ...turns } = JSON.parse(process.argv[2] ?? '{}') as ProcessTurns;
const repository = new RedisChatMemoryRepository({ url, keyPrefix });
await appendTurns(repository, turns);
await repository.close();

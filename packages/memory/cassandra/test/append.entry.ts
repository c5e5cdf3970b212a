import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { appendTurns } from '@vernal/testing/memory';
import type { ProcessTurns } from './other-process.js';

const { url, keyspace, table, ...turns } = JSON.parse(process.argv[2] ?? '{}') as ProcessTurns;
const repository = new CassandraChatMemoryRepository({ url, keyspace, table });
await appendTurns(repository, turns);
await repository.close();

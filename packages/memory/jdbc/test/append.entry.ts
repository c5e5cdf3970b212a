import { JdbcChatMemoryRepository } from '@vernal/memory-jdbc';
import { appendTurns } from '@vernal/testing/memory';
import type { ProcessTurns } from './other-process.js';

const turns = JSON.parse(process.argv[2] ?? '{}') as ProcessTurns;
const repository = new JdbcChatMemoryRepository({
  url: turns.url,
  tablePrefix: turns.tablePrefix,
  initializeSchema: 'always',
});
await appendTurns(repository, { ...turns, stored: (turn) => void process.stdout.write(`${turn}\n`) });
await repository.close();

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatMemoryRepository, userMessage } from '@vernal/core';
import { JdbcChatMemoryRepository } from '@vernal/memory-jdbc';
import { type DurabilityStage, describeMemoryDurability, engineStage, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import type { RunningProgram } from '../../../../scripts/run-program.mjs';
import { noPrivateEngine } from '../../../../scripts/services/no-private-engine.mjs';
import { type PrivateEngine, startPrivateEngine } from '../../../../scripts/services/private-engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { appendInProcess } from './other-process.js';

const runner = vitestRunner(vitest);

/** SQLite writes in the process that is killed. */
function sqliteStage(): DurabilityStage {
  const folder = mkdtempSync(join(tmpdir(), 'vernal-memory-'));
  const url = `sqlite:${join(folder, 'memory.db')}`;
  const processes: RunningProgram[] = [];
  return {
    async write({ conversationId, name, stored }) {
      const started = await appendInProcess({ url, tablePrefix: 'killed', conversationId, name }, stored);
      processes.push(started);
      await started.ended;
    },
    async kill() {
      for (const one of processes.splice(0)) one.kill();
    },
    async open() {
      const repository = new JdbcChatMemoryRepository({ url, tablePrefix: 'killed' });
      return { subject: repository, close: () => repository.close() };
    },
    async end() {
      for (const one of processes) one.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describeMemoryDurability('JdbcChatMemoryRepository on SQLite', sqliteStage, { runner, onReport: keepReport });

for (const [name, title] of [
  ['postgres', 'PostgreSQL'],
  ['mariadb', 'MariaDB'],
] as const) {
  const reason = noPrivateEngine(name);
  if (reason !== undefined) {
    vitest.it.skip(`JdbcChatMemoryRepository on ${title}, killed: ${reason}`);
    continue;
  }
  vitest.describe(name, () => {
    let engine: PrivateEngine;
    const connect = (): { readonly subject: ChatMemoryRepository; close(): Promise<void> } => {
      const repository = new JdbcChatMemoryRepository({ url: engine.url, initializeSchema: 'always' });
      return { subject: repository, close: () => repository.close() };
    };
    describeMemoryDurability(
      `JdbcChatMemoryRepository on ${title}`,
      async () => {
        engine = await startPrivateEngine(name);
        return engineStage(engine, connect);
      },
      { runner, onReport: keepReport, timeout: 180_000 },
    );

    vitest.it('is there again for the same repository when the server is', { timeout: 180_000 }, async () => {
      engine = await startPrivateEngine(name);
      const { subject, close } = connect();
      try {
        await engine.kill();
        const failed = { code: vitest.expect.stringMatching(/^store_(read|write)$/), retryable: true };
        await vitest.expect(subject.append('c', [userMessage('lost')])).rejects.toMatchObject(failed);
        await engine.restart();
        await subject.append('c', [userMessage('one')]);
        await engine.kill();
        await vitest.expect(subject.findByConversationId('c')).rejects.toMatchObject(failed);
        await vitest.expect(subject.append('c', [userMessage('lost')])).rejects.toMatchObject(failed);
        await engine.restart();
        // A connection that died while nobody used it is found out by the first who does.
        await subject.append('c', [userMessage('two')]).catch(() => subject.append('c', [userMessage('two')]));
        vitest
          .expect((await subject.findByConversationId('c')).messages)
          .toEqual([userMessage('one'), userMessage('two')]);
      } finally {
        await close();
        await engine.end();
      }
    });
  });
}

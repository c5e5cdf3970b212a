import { JdbcChatMemoryRepository } from '@vernal/memory-jdbc';
import { type SqlDatabase, sqlIdentifier } from '@vernal/sql';
import { describeMemoryRepository, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { countedDatabase } from './counted-database.js';
import { appendInProcess } from './other-process.js';

let made = 0;
const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;

/** What tables of one case begin with: as unlike any other as engines have room for. */
export function tablePrefix(): string {
  return `t${run}_${++made}`;
}

/** Drops the tables of a repository. */
export async function dropTables(database: SqlDatabase, prefix: string): Promise<void> {
  for (const suffix of ['message', 'conversation', 'version']) {
    const table = sqlIdentifier(database.dialect, `${prefix}_${suffix}`, 'table');
    await database.run([{ text: `DROP TABLE IF EXISTS ${table}` }]);
  }
}

/** The conformance suite over one database; `url` where another process can reach it, too. */
export function describeRepositoryOn(name: string, database: () => SqlDatabase, url?: () => string): void {
  const prefixes = new Map<string, string>();
  const counted = new Map<SqlDatabase, ReturnType<typeof countedDatabase>>();
  const countedOf = (): ReturnType<typeof countedDatabase> => {
    const found = counted.get(database()) ?? countedDatabase(database());
    counted.set(database(), found);
    return found;
  };
  const prefixOf = (namespace: string): string => {
    const prefix = prefixes.get(namespace) ?? tablePrefix();
    prefixes.set(namespace, prefix);
    return prefix;
  };
  describeMemoryRepository(
    name,
    ({ namespace }) => {
      const prefix = prefixOf(namespace);
      const repository = new JdbcChatMemoryRepository({
        client: countedOf().database,
        tablePrefix: prefix,
        initializeSchema: 'always',
        pageSize: 50,
      });
      return {
        subject: repository,
        async close() {
          await repository.close();
          await dropTables(database(), prefix);
        },
      };
    },
    {
      runner: vitestRunner(vitest),
      onReport: keepReport,
      commands: () => countedOf().taken(),
      async tamper({ namespace, conversationId, sequence, message }) {
        const table = sqlIdentifier(database().dialect, `${prefixOf(namespace)}_message`, 'table');
        const text = `UPDATE ${table} SET message = ? WHERE conversation_key = ? AND sequence = ?`;
        const [result] = await database().run([{ text, values: [message, conversationId, sequence] }]);
        vitest.expect(result?.changes).toBe(1);
      },
      otherProcess:
        url === undefined
          ? undefined
          : async ({ namespace, ...turns }) =>
              (await appendInProcess({ ...turns, url: url(), tablePrefix: prefixOf(namespace) })).ended,
    },
  );
}

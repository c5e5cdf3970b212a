import {
  Neo4jChatMemoryRepository,
  type Neo4jChatMemoryRepositoryOptions,
  type Neo4jMemoryLabels,
} from '@vernal/memory-neo4j';
import neo4j, { type Driver, type Record as Row } from 'neo4j-driver';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';

const found = engine('neo4j');
const run = `${process.pid}_${Date.now().toString(36)}`;
let made = 0;

/** Labels that no other test has. */
export function uniqueLabels(): Neo4jMemoryLabels {
  const name = `t${run}_${++made}`;
  const [session, message, toolCall] = [`${name}_session`, `${name}_message`, `${name}_call`];
  return {
    session,
    message,
    toolCall,
    toolResponse: `${name}_response`,
    metadata: `${name}_meta`,
    media: `${name}_media`,
  };
}

/** Runs one statement, and gives its rows with plain numbers. */
export async function query(driver: Driver, text: string, parameters: object = {}): Promise<object[]> {
  const { records } = await driver.executeQuery(text, parameters);
  return records.map((row: Row) => row.toObject());
}

/** Deletes the nodes with these labels. */
export async function emptied(driver: Driver, labels: Neo4jMemoryLabels): Promise<void> {
  const ours = Object.values(labels).map((label) => `n:${escaped(label)}`);
  await query(driver, `MATCH (n) WHERE ${ours.join(' OR ')} DETACH DELETE n`);
}

/** Deletes the nodes with these labels, and the constraint and the index. */
export async function cleared(driver: Driver, labels: Neo4jMemoryLabels): Promise<void> {
  await emptied(driver, labels);
  const text = `SHOW INDEXES YIELD name, labelsOrTypes, owningConstraint WHERE labelsOrTypes[0] IN $names
RETURN name, owningConstraint IS NULL AS isIndex`;
  const found = await query(driver, text, { names: Object.values(labels) });
  for (const { name, isIndex } of found as { name: string; isIndex: boolean }[])
    await query(driver, `DROP ${isIndex ? 'INDEX' : 'CONSTRAINT'} ${escaped(name)} IF EXISTS`);
}

/** As Cypher takes it. */
export function escaped(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** What the tests of one file need; what they made is deleted, and drivers are closed, when the file is through. */
export interface Neo4jServer {
  readonly driver: Driver;
  readonly url: string;
  /** Gives integers as numbers. */
  query(text: string, parameters?: object): Promise<object[]>;
  /** Unique ones; `make` also makes the constraint and the index. */
  labels(make?: boolean): Promise<Neo4jMemoryLabels>;
  /** With labels of its own, whose schema it may make. */
  repository(options?: Partial<Neo4jChatMemoryRepositoryOptions>): Neo4jChatMemoryRepository;
}

export function describeOnServer(name: string, define: (server: Neo4jServer) => void): void {
  if ('reason' in found) {
    vitest.it.skip(`${name}: ${found.reason}`);
    return;
  }
  const { url } = found;
  vitest.describe(name, () => {
    const driver = neo4j.driver(url, undefined, { disableLosslessIntegers: true });
    const used: Neo4jMemoryLabels[] = [];
    const own = (): Neo4jMemoryLabels => {
      const labels = uniqueLabels();
      used.push(labels);
      return labels;
    };
    vitest.afterAll(async () => {
      for (const labels of used) await cleared(driver, labels);
      await driver.close();
    });
    const repository: Neo4jServer['repository'] = (options = {}) => {
      const client = options.url === undefined ? { driver } : {};
      return new Neo4jChatMemoryRepository({ ...client, labels: own(), initializeSchema: 'always', ...options });
    };
    define({
      driver,
      url,
      query: (text, parameters) => query(driver, text, parameters),
      async labels(make = true) {
        const labels = own();
        if (make) await repository({ labels }).findByConversationId('nobody');
        return labels;
      },
      repository,
    });
  });
}

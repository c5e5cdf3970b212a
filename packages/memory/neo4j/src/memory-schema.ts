import { untilAborted, VernalError } from '@vernal/core';
import { escapedLabel, memoryLabels, type Neo4jMemoryLabels } from './memory-labels.js';
import type { MemorySettings } from './memory-settings.js';
import type { Neo4jConnection } from './neo4j-connection.js';

/** Another repository may be making the same; then it is looked again. */
const TRIES = 5;

/** What the repository needs in the schema of the database. */
interface NeededIndex {
  readonly label: string;
  readonly properties: string;
  readonly isUnique: boolean;
  /** Makes it. */
  readonly statement: string;
}

interface FoundIndex {
  readonly name: string;
  readonly state: string;
  readonly label: string;
  readonly properties: string;
  readonly isUnique: boolean;
}

/**
 * The statements that make what the repository needs, to be run by your own tool where it may not do so itself: a constraint, by which a conversation
 * is there once, and an index, by which its newest messages are found.
 */
export function neo4jMemorySchema(labels?: Partial<Neo4jMemoryLabels>): string[] {
  return neededIndexes(memoryLabels(labels)).map(({ statement }) => statement);
}

/** Sees to the constraint and the index, once. */
export class MemorySchema {
  readonly #connection: Neo4jConnection;
  readonly #settings: MemorySettings;
  #seenTo: Promise<void> | undefined;

  constructor(connection: Neo4jConnection, settings: MemorySettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /**
   * The first use is for all: an abort of one ends its wait and no more. One that fails is tried again by the next.
   *
   * @throws VernalError `invalid_state` when something is missing that may not be made
   */
  async ensure(signal: AbortSignal | undefined): Promise<void> {
    const seenTo = this.#seenTo ?? this.#see();
    this.#seenTo = seenTo;
    seenTo.catch(() => {
      if (this.#seenTo === seenTo) this.#seenTo = undefined;
    });
    await untilAborted(seenTo, signal);
  }

  async #see(): Promise<void> {
    const { labels, creates } = this.#settings;
    const needed = neededIndexes(labels);
    for (let tries = 1; ; tries++) {
      const found = await this.#found();
      const missing = needed.filter((one) => !found.some((other) => fits(one, other)));
      if (missing.length === 0) {
        if (creates) await this.#awaitOnline(found.filter((one) => needed.some((other) => fits(other, one))));
        return;
      }
      if (!creates) throw notThere(labels);
      try {
        for (const { statement } of missing)
          await this.#connection.run({ text: statement, parameters: {} }, 'store_write', undefined);
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  }

  async #found(): Promise<FoundIndex[]> {
    const text = `SHOW INDEXES YIELD name, state, type, entityType, labelsOrTypes, properties, owningConstraint
WHERE entityType = 'NODE' AND type = 'RANGE' AND state <> 'FAILED' AND size(labelsOrTypes) = 1
RETURN name, state, labelsOrTypes[0] AS label, properties, owningConstraint IS NOT NULL AS isUnique`;
    const rows = await this.#connection.run({ text, parameters: {} }, 'store_read', undefined);
    return rows.map((row) => ({
      name: String(row.get('name')),
      state: String(row.get('state')),
      label: String(row.get('label')),
      properties: String(row.get('properties')),
      isUnique: row.get('isUnique') === true,
    }));
  }

  /** Until then they are not used, and statements that name them are refused. */
  async #awaitOnline(indexes: readonly FoundIndex[]): Promise<void> {
    for (const { name, state } of indexes) {
      if (state === 'ONLINE') continue;
      const seconds = BigInt(Math.ceil(this.#settings.timeoutMs / 1000));
      const text = 'CALL db.awaitIndex($name, $seconds)';
      await this.#connection.run({ text, parameters: { name, seconds } }, 'store_read', undefined);
    }
  }
}

function neededIndexes({ session, message }: Neo4jMemoryLabels): readonly NeededIndex[] {
  return [
    {
      label: session,
      properties: 'key',
      isUnique: true,
      statement: `CREATE CONSTRAINT IF NOT EXISTS FOR (s:${escapedLabel(session)}) REQUIRE s.key IS UNIQUE`,
    },
    {
      label: message,
      properties: 'session,sequence',
      isUnique: false,
      statement: `CREATE INDEX IF NOT EXISTS FOR (m:${escapedLabel(message)}) ON (m.session, m.sequence)`,
    },
  ];
}

function fits(needed: NeededIndex, { label, properties, isUnique }: FoundIndex): boolean {
  return needed.label === label && needed.properties === properties && (isUnique || !needed.isUnique);
}

function notThere({ session, message }: Neo4jMemoryLabels): VernalError {
  return new VernalError(
    `The constraint or the index of chat memory is missing for the labels ${session} and ${message}: set initializeSchema: 'always', ` +
      'or run what neo4jMemorySchema() gives; without the constraint two writers could make a conversation twice',
    { code: 'invalid_state', subject: 'initializeSchema' },
  );
}

// Conversations in every engine that runs: through its repository, and by what the repository asks of the driver, done without it.
import { loadavg } from 'node:os';
import { assistantMessage, systemMessage, userMessage } from '@vernal/core';
import { engine } from '../../scripts/services/engine.mjs';
import { compare } from './measure.mjs';
import { cassandraStore } from './memory-stores/cassandra-store.mjs';
import { mongoStore } from './memory-stores/mongo-store.mjs';
import { neo4jStore } from './memory-stores/neo4j-store.mjs';
import { readdressed } from './memory-stores/recorded-calls.mjs';
import { redisStore } from './memory-stores/redis-store.mjs';
import { mariadbStore, postgresStore, sqliteStore } from './memory-stores/sql-stores.mjs';

const STORES = {
  sqlite: sqliteStore,
  postgres: postgresStore,
  mariadb: mariadbStore,
  redis: redisStore,
  mongo: mongoStore,
  neo4j: neo4jStore,
  cassandra: cassandraStore,
};
const CONVERSATIONS = Number(process.env.VERNAL_BENCH_CONVERSATIONS ?? 1_000);
const ENGINES = process.env.VERNAL_BENCH_ENGINES?.split(',') ?? Object.keys(STORES);
const TURNS = 20;
const WINDOW = 20;
const AT_ONCE = 8;
const LONGEST = Number(process.env.VERNAL_BENCH_MESSAGES ?? 10_000);
const LENGTHS = [Math.ceil(LONGEST / 10), LONGEST];
const SEEDED_AT_ONCE = 500;

const setting = systemMessage('You are a helpful assistant that answers in a few sentences.');
const asked = (turn) =>
  userMessage(`Question ${turn}: what should I know about this, and what would you do in my place?`);
const answered = (turn) =>
  assistantMessage(`Answer ${turn}. ${'There is more than one side to it, so let us see. '.repeat(8)}`);
const written = (turn) => [...(turn === 0 ? [setting] : []), asked(turn), answered(turn)];

async function converse(repository, id) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await repository.findByConversationId(id, { last: WINDOW, includeSystem: true });
    await repository.append(id, written(turn));
  }
}

/** What one conversation asks of the driver, call by call. */
async function recorded({ recording, compiled }, id) {
  const calls = [];
  const repository = recording(calls);
  // Looks at the schema first.
  await converse(repository, `${id}-before`);
  calls.length = 0;
  await converse(repository, id);
  return calls.map(compiled);
}

/** Several conversations at a time, each with an id that no other has. */
async function manyAtOnce(count, round, conversation) {
  let next = 0;
  const lane = async () => {
    while (next < count) await conversation(`${round}-${next++}`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Throws unless all of a conversation is there. */
async function checkWritten(repository, id) {
  const { messages } = await repository.findByConversationId(id);
  if (messages.length !== 2 * TURNS + 1) throw new Error(`${id} has ${messages.length} messages`);
}

async function turns(store, title) {
  const { repository, replay } = store;
  // As long as the ids that take its place.
  const template = 'recorded-conversation';
  await repository.findByConversationId(template);
  const calls = await recorded(store, template);
  let round = 0;
  const contestant = (conversation) => async (count) => {
    round += 1;
    await manyAtOnce(count / TURNS, `conversation-${round}`, conversation);
    await checkWritten(repository, `conversation-${round}-0`);
  };
  const contestants = {
    'floor: the same calls of the driver': contestant(async (id) => {
      for (const call of calls) await replay(readdressed(call, template, id));
    }),
    'vernal repository': contestant((id) => converse(repository, id)),
  };
  await compare(
    `${title}: a turn, which reads ${WINDOW} messages and writes 2; ${CONVERSATIONS} conversations of ${TURNS}, ${AT_ONCE} at once, ${calls.length / TURNS} calls a turn`,
    contestants,
    { operations: CONVERSATIONS * TURNS, rounds: 3, warmUps: 1, weighed: 0, by: 'wall' },
  );
}

async function appends(store, title) {
  const { repository } = store;
  let made = 0;
  const contestants = {
    'to an empty conversation': async (count) => {
      for (let i = 0; i < count; i += 1) await repository.append(`empty-${made++}`, [asked(i)]);
    },
  };
  for (const length of LENGTHS) {
    const id = `long-${length}`;
    for (let i = 0; i < length; i += SEEDED_AT_ONCE) {
      const count = Math.min(SEEDED_AT_ONCE, length - i);
      await repository.append(
        id,
        Array.from({ length: count }, (_, j) => asked(i + j)),
      );
    }
    contestants[`to ${length.toLocaleString('en')} messages`] = async (count) => {
      for (let i = 0; i < count; i += 1) await repository.append(id, [asked(i)]);
    };
  }
  await compare(`${title}: one message appended`, contestants, {
    operations: 40,
    rounds: 7,
    warmUps: 1,
    weighed: 0,
    by: 'wall',
  });
}

export async function memoryStores() {
  for (const name of ENGINES) {
    if (!(name in STORES)) throw new Error(`there is no engine '${name}'; there are ${Object.keys(STORES).join(', ')}`);
    const found = name === 'sqlite' ? { version: 'SQLite, a file in WAL mode, through libsql' } : engine(name);
    if ('reason' in found) {
      console.log(`\nmemory-stores without ${name}: ${found.reason}`);
      continue;
    }
    const title = `Memory in ${found.version ?? name} (load ${loadavg()[0].toFixed(1)})`;
    const store = await STORES[name](found.url, `vernal_bench_${process.pid}`);
    try {
      await turns(store, title);
      await appends(store, title);
    } finally {
      await store.drop();
    }
  }
}

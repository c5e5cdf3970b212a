import { type Message, messageText, systemMessage, userMessage } from '@vernal/core';
import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

if ('reason' in server) it.skip(`reading from Cassandra: ${server.reason}`);
else
  describe('a read', () => {
    const table = 'read';
    let space: TestKeyspace;
    let repository: CassandraChatMemoryRepository;
    let other: CassandraChatMemoryRepository;
    beforeAll(async () => {
      space = await testKeyspace(server.url);
      const options = { client: space.client, keyspace: space.keyspace, table, initializeSchema: 'always' } as const;
      repository = new CassandraChatMemoryRepository(options);
      other = new CassandraChatMemoryRepository(options);
      await repository.findByConversationId('c');
    });
    afterEach(() => space.empty(table));
    afterAll(() => space.end());
    const named = (name: string, count: number): Message[] =>
      Array.from({ length: count }, (_, at) => userMessage(`${name} ${at}`));

    it('of several pages is of one moment, however often the conversation is replaced', async () => {
      await repository.saveAll('c', named('0', 1200));
      let isOver = false;
      const replacing = (async () => {
        for (let round = 1; round <= 6; round++) await other.saveAll('c', named(String(round), 1100 + round));
        isOver = true;
      })();
      const seen = new Set<string>();
      while (!isOver) {
        const { messages, sequences, sequence } = await repository.findByConversationId('c');
        const [name = ''] = messages.map((message) => messageText(message).split(' ')[0]);
        expect(messages).toEqual(named(name, name === '0' ? 1200 : 1100 + Number(name)));
        expect(sequences.at(-1)).toBe(sequence);
        seen.add(name);
      }
      await replacing;
      expect(seen.size).toBeGreaterThan(0);
    });

    it('of several pages is without what is appended meanwhile, and whole', async () => {
      await repository.append('c', named('old', 1100));
      const appending = (async () => {
        for (let turn = 0; turn < 20; turn++) await other.append('c', named(`turn ${turn}`, 1));
      })();
      for (let round = 0; round < 5; round++) {
        const { sequences, sequence } = await repository.findByConversationId('c');
        expect(sequences).toEqual(Array.from({ length: sequence }, (_, at) => at + 1));
      }
      await appending;
    });

    it('finds the newest among many system messages', async () => {
      const list = Array.from({ length: 60 }, (_, at) =>
        at % 2 === 0 ? systemMessage(`system ${at}`) : userMessage(`user ${at}`),
      );
      await repository.append('c', list);
      const systems = list.filter(({ type }) => type === 'system');
      const read = async (options: object): Promise<readonly Message[]> =>
        (await repository.findByConversationId('c', options)).messages;
      expect(await read({ last: 5 })).toEqual(list.slice(-5));
      expect(await read({ last: 5, includeSystem: true })).toEqual([...systems.slice(0, -2), ...list.slice(-5)]);
      expect(await read({ last: 5, before: 31 })).toEqual(list.slice(25, 30));
      const around = await read({ last: 2, before: 31, includeSystem: true });
      expect(around).toEqual([...systems.slice(0, 15), ...list.slice(29, 30), ...systems.slice(15)]);
      await repository.saveAll('c', systems);
      expect(await read({ last: 5 })).toEqual(systems.slice(-5));
      expect(await read({ last: 1, includeSystem: true })).toEqual(systems);
    });
  });

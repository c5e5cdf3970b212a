import { ConversationConflictError, messageText, userMessage } from '@vernal/core';
import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { type LossyProxy, lossyProxy } from './lossy-proxy.js';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

if ('reason' in server) it.skip(`writes whose answer is lost: ${server.reason}`);
else
  describe('a write whose answer is lost', () => {
    const table = 'lost';
    let space: TestKeyspace;
    let proxy: LossyProxy;
    let direct: CassandraChatMemoryRepository;
    let lossy: CassandraChatMemoryRepository;
    beforeAll(async () => {
      space = await testKeyspace(server.url);
      const { client, keyspace } = space;
      direct = new CassandraChatMemoryRepository({ client, keyspace, table, initializeSchema: 'always' });
      await direct.findByConversationId('c');
    });
    afterAll(() => space.end());
    beforeEach(async () => {
      proxy = await lossyProxy(server.url);
      lossy = new CassandraChatMemoryRepository({
        contactPoints: [proxy.host],
        keyspace: space.keyspace,
        table,
      });
      await lossy.findByConversationId('c');
    });
    afterEach(async () => {
      await lossy.close();
      await proxy.close();
      await space.empty(table);
    });
    const texts = async (): Promise<string[]> => (await direct.findByConversationId('c')).messages.map(messageText);

    it.each(['batch', 'answer'] as const)('is done once: append, the %s lost', async (loss) => {
      await direct.append('c', [userMessage('one')]);
      void proxy.lose(loss);
      expect(await lossy.append('c', [userMessage('two')])).toEqual({ sequence: 2 });
      expect(await texts()).toEqual(['one', 'two']);
      void proxy.lose(loss);
      expect(await lossy.append('c', [userMessage('three')], { expectedSequence: 2 })).toEqual({ sequence: 3 });
      expect(await texts()).toEqual(['one', 'two', 'three']);
    });

    it.each(['batch', 'answer'] as const)('is done once: the first of a conversation, the %s lost', async (loss) => {
      void proxy.lose(loss);
      expect(await lossy.append('c', [userMessage('one')])).toEqual({ sequence: 1 });
      expect(await texts()).toEqual(['one']);
    });

    it.each(['batch', 'answer'] as const)('is done once: saveAll, the %s lost', async (loss) => {
      await direct.append('c', [userMessage('old')]);
      void proxy.lose(loss);
      expect(await lossy.saveAll('c', [userMessage('new')])).toEqual({ sequence: 2 });
      void proxy.lose(loss);
      expect(await lossy.saveAll('c', [])).toEqual({ sequence: 2 });
      expect(await texts()).toEqual([]);
    });

    it.each(['batch', 'answer'] as const)(
      'is done: deleteBefore and deleteByConversationId, the %s lost',
      async (loss) => {
        await direct.append('c', [userMessage('one'), userMessage('two')]);
        void proxy.lose(loss);
        await lossy.deleteBefore('c', 2);
        expect(await texts()).toEqual(['two']);
        void proxy.lose(loss);
        await lossy.deleteByConversationId('c');
        expect(await direct.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 0 });
      },
    );

    it.each(['batch', 'answer'] as const)('is done once while others write, the %s lost', async (loss) => {
      const lost = proxy.lose(loss);
      const release = proxy.hold();
      const own = lossy.append('c', [userMessage('own')]);
      await lost;
      for (let turn = 0; turn < 5; turn++) await direct.append('c', [userMessage(`other ${turn}`)]);
      release();
      const others = ['other 0', 'other 1', 'other 2', 'other 3', 'other 4'];
      expect(await own).toEqual({ sequence: loss === 'answer' ? 1 : 6 });
      expect(await texts()).toEqual(loss === 'answer' ? ['own', ...others] : [...others, 'own']);
    });

    it('is a conflict when another was first', async () => {
      const lost = proxy.lose('batch');
      const release = proxy.hold();
      const own = lossy.append('c', [userMessage('own')], { expectedSequence: 0 });
      await lost;
      await direct.append('c', [userMessage('other')]);
      release();
      const error: unknown = await own.catch((thrown: unknown) => thrown);
      expect(ConversationConflictError.is(error) && error.actualSequence).toBe(1);
      expect(await texts()).toEqual(['other']);
    });

    it('is an error that says so when nobody can tell any more', async () => {
      await direct.append('c', [userMessage('one')]);
      const lost = proxy.lose('answer');
      const release = proxy.hold();
      const own = lossy.append('c', [userMessage('own')]);
      await lost;
      await direct.append('c', [userMessage('other')]);
      await direct.deleteBefore('c', 3);
      release();
      await expect(own).rejects.toMatchObject({ code: 'store_write', details: { outcome: 'unknown' } });
      expect(await texts()).toEqual(['other']);
    });

    it('ends its wait when the signal fires', async () => {
      const lost = proxy.lose('silence');
      const controller = new AbortController();
      const own = lossy.append('c', [userMessage('own')], { signal: controller.signal });
      await lost;
      controller.abort();
      await expect(own).rejects.toMatchObject({ code: 'aborted' });
    });
  });

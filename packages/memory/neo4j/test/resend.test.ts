import { messageText, userMessage } from '@vernal/core';
import neo4j from 'neo4j-driver';
import { expect, it, vi } from 'vitest';
import { CuttingProxy } from './cutting-proxy.js';
import { describeOnServer } from './server.js';

/** The server may have to plan the statement first. */
const PATIENCE = { timeout: 60_000 };

describeOnServer('a connection that breaks', (server) => {
  const broken = async () => {
    const proxy = await CuttingProxy.to(server.url);
    const labels = await server.labels();
    const driver = neo4j.driver(proxy.url);
    return {
      proxy,
      direct: server.repository({ labels }),
      repository: server.repository({ labels, driver }),
      async end() {
        await driver.close();
        await proxy.close();
      },
    };
  };

  it.each([
    ['append', undefined],
    ['append', 1],
    ['saveAll', undefined],
    ['saveAll', 1],
  ] as const)(
    'before the answer of %s comes, with expectedSequence %s: what was written is not written again',
    async (method, expectedSequence) => {
      const { proxy, direct, repository, end } = await broken();
      await repository.append('c', [userMessage('first')]);
      proxy.hold();
      const writing = repository[method]('c', [userMessage('once')], { expectedSequence });
      await vi.waitFor(async () => {
        const { messages } = await direct.findByConversationId('c', { last: 1 });
        expect(messages.map(messageText)).toEqual(['once']);
      }, PATIENCE);
      // Others write before it is tried again.
      for (let turn = 0; turn < 3; turn++) await direct.append('c', [userMessage(`other ${turn}`)]);
      proxy.cut();
      expect(await writing).toEqual({ sequence: 2 });
      const { messages, sequence } = await direct.findByConversationId('c');
      expect(messages.map(messageText).filter((text) => text === 'once')).toHaveLength(1);
      expect(sequence).toBe(5);
      await end();
    },
  );

  it('while nobody uses it is not noticed', async () => {
    const { proxy, repository, end } = await broken();
    await Promise.all(['a', 'b', 'c'].map((id) => repository.append(id, [userMessage('x')])));
    proxy.cut();
    for (const id of ['a', 'b', 'c']) expect(await repository.append(id, [userMessage('y')])).toEqual({ sequence: 2 });
    proxy.cut();
    expect((await repository.findByConversationId('a')).messages.map(messageText)).toEqual(['x', 'y']);
    await end();
  });
});

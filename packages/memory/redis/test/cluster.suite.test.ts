import { systemMessage, userMessage } from '@vernal/core';
import { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { describeMemoryRepository, vitestRunner } from '@vernal/testing/memory';
import type { Cluster } from 'ioredis';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { noLocalServer } from './plain-server.mjs';
import { type RedisCluster, startCluster } from './redis-cluster.js';

const reason = noLocalServer();
if (reason !== undefined) vitest.it.skip(`RedisChatMemoryRepository on a cluster: ${reason}`);
else {
  let cluster: RedisCluster;
  let client: Cluster;
  vitest.beforeAll(async () => {
    cluster = await startCluster();
    client = cluster.connect();
  });
  vitest.afterAll(() => cluster.end());

  describeMemoryRepository(
    'RedisChatMemoryRepository on a cluster',
    ({ namespace }) => ({
      subject: new RedisChatMemoryRepository({ client, keyPrefix: `${namespace}:`, search: true, ttlMs: 600_000 }),
    }),
    { runner: vitestRunner(vitest), onReport: keepReport },
  );

  vitest.it('on a cluster: a conversation is on one server with all its keys, and every server is listed', async () => {
    const repository = new RedisChatMemoryRepository({ client, keyPrefix: 'spread:', search: true });
    const ids = Array.from({ length: 30 }, (_, at) => `conversation ${at}`);
    const system = systemMessage('x');
    for (const id of ids) await repository.append(id, [system, userMessage(id)]);
    const servers = await Promise.all(cluster.nodes.map((node) => node.keys('spread:*')));
    vitest.expect(servers.every((keys) => keys.length > 0)).toBe(true);
    const tags = servers.map((keys) => new Set(keys.map((key) => /\{.*?\}/.exec(key)?.[0])));
    vitest.expect(tags.map((own) => own.size).reduce((a, b) => a + b)).toBe(ids.length);
    // Its hash, two sorted sets and two copies.
    vitest.expect(servers.flat()).toHaveLength(5 * ids.length);
    const listed: string[] = [];
    for await (const id of repository.findConversationIds()) listed.push(id);
    vitest.expect(listed.toSorted()).toEqual(ids.toSorted());
    await repository.deleteByConversationId('conversation 7');
    const left = await Promise.all(cluster.nodes.map((node) => node.keys('spread:*')));
    vitest.expect(left.flat()).toHaveLength(5 * (ids.length - 1));
  });
}

import { RedisIngestLedger } from '@vernal/etl-bullmq';
import { describeIngestLedger, vitestRunner } from '@vernal/testing';
import { Redis } from 'ioredis';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { describeOnRedis } from './queue-server.js';

describeOnRedis('RedisIngestLedger', ({ client }) => {
  const prefixes = new Set<string>();
  vitest.afterAll(async () => {
    for (const prefix of prefixes) {
      const keys = await client.keys(`{${prefix}:*`);
      if (keys.length > 0) await client.del(keys);
    }
  });
  describeIngestLedger(
    'RedisIngestLedger',
    ({ namespace, scope }) => {
      prefixes.add(namespace);
      return { subject: new RedisIngestLedger(client, { prefix: namespace, scope }) };
    },
    { runner: vitestRunner(vitest) },
  );

  it('refuses what Redis would keep as something else', async () => {
    prefixes.add('surrogates');
    const ledger = new RedisIngestLedger(client, { prefix: 'surrogates' });
    await expect(ledger.put({ source: '\ud800', stale: [] }, undefined)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('RedisIngestLedger without a server', () => {
  it('says so, and that it may pass', async () => {
    const nobody = new Redis({
      host: '127.0.0.1',
      port: 1,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      lazyConnect: true,
    });
    nobody.on('error', () => {});
    const ledger = new RedisIngestLedger(nobody);
    await expect(ledger.get('secret name')).rejects.toMatchObject({ code: 'ledger', retryable: true });
    await expect(ledger.get('secret name')).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
    nobody.disconnect();
    expect(() => new RedisIngestLedger({} as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { noPrivateEngine } from '../../../../scripts/services/no-private-engine.mjs';
import { startPrivateEngine } from '../../../../scripts/services/private-engine.mjs';

const reason = noPrivateEngine('redis');

async function ask<T>(url: string, question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}

describe('an engine of one test', () => {
  it.skipIf(reason !== undefined)(
    `holds after a kill what it has confirmed, and is gone after end()${reason ? `: ${reason}` : ''}`,
    async () => {
      const engine = await startPrivateEngine('redis');
      try {
        await ask(engine.url, (client) => client.set('kept', 'yes'));
        await expect(engine.restart()).rejects.toThrow(/kill\(\) it first/);
        await engine.kill();
        await expect(ask(engine.url, (client) => client.get('kept'))).rejects.toThrow();
        await engine.restart();
        expect(await ask(engine.url, (client) => client.get('kept'))).toBe('yes');
      } finally {
        await engine.end();
      }
      await expect(ask(engine.url, (client) => client.get('kept'))).rejects.toThrow();
      await engine.end();
      await expect(engine.restart()).rejects.toThrow(/has ended/);
    },
  );

  it('has a name that there is', async () => {
    await expect(startPrivateEngine('oracle')).rejects.toThrow(/no engine 'oracle'; there are postgres, redis/);
  });
});

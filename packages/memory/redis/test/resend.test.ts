import { assistantMessage, messageText, userMessage } from '@vernal/core';
import { RedisChatMemoryRepository, type RedisChatMemoryRepositoryOptions } from '@vernal/memory-redis';
import { expect, it } from 'vitest';
import { LossyConnection } from './lossy-connection.js';
import { type DriverOptions, describeOnServer } from './server.js';

describeOnServer('a write whose answer is lost with the connection', (server) => {
  async function stage(driver: DriverOptions = {}, options: Partial<RedisChatMemoryRepositoryOptions> = {}) {
    const keyPrefix = `${server.name()}:`;
    const lossy = await LossyConnection.to(server.url);
    const client = server.connect(lossy.url, { retryStrategy: () => 1, ...driver });
    const repository = new RedisChatMemoryRepository({ client, keyPrefix, ...options });
    const other = server.repository({ keyPrefix });
    return {
      lossy,
      repository,
      other,
      texts: async () => (await other.findByConversationId('c')).messages.map(messageText),
      async end() {
        client.disconnect();
        await lossy.close();
      },
    };
  }

  it('is done once, though the driver sends it again; the caller gets the sequence that it was given', async () => {
    const { lossy, repository, other, texts, end } = await stage();
    await repository.append('c', [userMessage('first')]);
    const lost = lossy.loseAnswer();
    const appending = repository.append('c', [userMessage('q'), assistantMessage('a')]);
    await lost;
    expect(await texts()).toEqual(['first', 'q', 'a']);
    expect(await appending).toEqual({ sequence: 3 });
    await other.append('c', [userMessage('later')]);
    expect(await texts()).toEqual(['first', 'q', 'a', 'later']);
    await end();
  });

  it('is done once also when others have written since', async () => {
    const { lossy, repository, other, texts, end } = await stage();
    await repository.append('c', [userMessage('first')]);
    // While the connection is away, somebody else writes.
    const lost = lossy.loseAnswer().then(() => other.append('c', [userMessage('later')]));
    const saving = repository.saveAll('c', [userMessage('new')], { expectedSequence: 1 });
    await lost;
    expect(await saving).toEqual({ sequence: 2 });
    expect(await texts()).toEqual(['new', 'later']);
    await end();
  });

  it('is a typed error when the driver gives up, which says that it may have been done', async () => {
    const { lossy, repository, texts, end } = await stage({ retryStrategy: () => null });
    await repository.append('c', [userMessage('first')]);
    const lost = lossy.loseAnswer();
    const error = await repository.append('c', [userMessage('second')]).catch((thrown: unknown) => thrown);
    await lost;
    expect(error).toMatchObject({ code: 'store_write', retryable: true, details: { code: 'CONNECTION_LOST' } });
    expect((error as Error).message).toContain('whether it was written is not known');
    expect(await texts()).toEqual(['first', 'second']);
    await end();
  });

  it('is a timeout when the driver neither sends it again nor says so', async () => {
    const { lossy, repository, texts, end } = await stage({ autoResendUnfulfilledCommands: false }, { timeoutMs: 300 });
    await repository.append('c', [userMessage('first')]);
    const lost = lossy.loseAnswer();
    const error = await repository.append('c', [userMessage('second')]).catch((thrown: unknown) => thrown);
    await lost;
    expect(error).toMatchObject({ code: 'timeout', subject: 'timeoutMs', retryable: true });
    expect((error as Error).message).toContain('whether it was written is not known');
    expect(await repository.append('c', [userMessage('third')])).toEqual({ sequence: 3 });
    expect(await texts()).toEqual(['first', 'second', 'third']);
    await end();
  });
});

import { assistantMessage, messageText, userMessage } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { expect, it } from 'vitest';
import { LossyConnection } from './lossy-connection.js';
import { describeOnServer, uniqueName } from './server.js';

describeOnServer('a write whose answer is lost with the connection', (server) => {
  async function stage() {
    const names = { databaseName: server.db.databaseName, collectionName: uniqueName() };
    const lossy = await LossyConnection.to(server.url);
    const repository = new MongoChatMemoryRepository({ client: server.connect(lossy.url), ...names });
    const other = server.repository(names);
    await repository.append('c', [userMessage('first')]);
    return {
      lossy,
      repository,
      other,
      texts: async () => (await other.findByConversationId('c')).messages.map(messageText),
    };
  }

  it('is done once; the caller gets the sequence that it was given', async () => {
    const { lossy, repository, other, texts } = await stage();
    const lost = lossy.lose('insert', 'answer');
    const { sequence } = await repository.append('c', [userMessage('q'), assistantMessage('a')]);
    await lost;
    expect(await texts()).toEqual(['first', 'q', 'a']);
    expect((await other.findByConversationId('c')).sequence).toBe(sequence);
    await lossy.close();
  });

  it('is done once also when others have written since, and when it expected a sequence', async () => {
    const { lossy, repository, other, texts } = await stage();
    const { sequence: expectedSequence } = await other.findByConversationId('c');
    const later: Promise<unknown>[] = [];
    const lost = lossy.lose('insert', 'answer').then(() => later.push(other.append('c', [userMessage('later')])));
    const { sequence } = await repository.saveAll('c', [userMessage('new')], { expectedSequence });
    await lost;
    await Promise.all(later);
    expect(await texts()).toEqual(['new', 'later']);
    const { sequences } = await other.findByConversationId('c');
    expect(sequences[0]).toBe(sequence);
    await lossy.close();
  });

  it('is done once when it never arrived', async () => {
    const { lossy, repository, texts } = await stage();
    const lost = lossy.lose('insert', 'request');
    await repository.append('c', [userMessage('second')]);
    await lost;
    expect(await texts()).toEqual(['first', 'second']);
    await lossy.close();
  });

  it('is a typed error when the connection is lost again, which says that it may have been done', async () => {
    const { lossy, repository, texts } = await stage();
    const lost = [lossy.lose('insert', 'request'), lossy.lose('insert', 'answer')];
    const error = await repository.append('c', [userMessage('second')]).catch((thrown: unknown) => thrown);
    await Promise.all(lost);
    expect(error).toMatchObject({ code: 'store_write', retryable: true, details: { error: 'MongoNetworkError' } });
    expect((error as Error).message).toContain('whether it was written is not known');
    expect(await texts()).toEqual(['first', 'second']);
    await repository.append('c', [userMessage('third')]);
    expect(await texts()).toEqual(['first', 'second', 'third']);
    await lossy.close();
  });
});

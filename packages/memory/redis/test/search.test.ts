import {
  assistantMessage,
  type Message,
  messageText,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import type { FoundMessage, RedisChatMemoryRepository, RedisChatMemoryRepositoryOptions } from '@vernal/memory-redis';
import { describe, expect, it } from 'vitest';
import { describeOnServer, type RedisServer } from './server.js';

const texts = (found: readonly FoundMessage[]): string[] => found.map(({ message }) => messageText(message));

function searched(server: RedisServer, options: RedisChatMemoryRepositoryOptions = {}): RedisChatMemoryRepository {
  const name = server.name();
  return server.repository({ keyPrefix: `${name}:`, indexName: name, initializeSchema: 'always', ...options });
}

describeOnServer('searching', (server) => {
  it('finds words one after the other in every conversation, the oldest first, and says where they are', async () => {
    const repository = searched(server);
    await repository.append('ann', [userMessage('The quick brown fox'), assistantMessage('A fox, quick and brown.')]);
    await repository.append('bob', [userMessage('quick-brown QUICK,\nBROWN foxes')]);
    await repository.append('ann', [userMessage('quick, but not so brown')]);
    const found = await repository.findByContent('Quick Brown');
    expect(found).toMatchObject([
      { conversationId: 'ann', sequence: 1, message: userMessage('The quick brown fox') },
      { conversationId: 'bob', sequence: 1, message: userMessage('quick-brown QUICK,\nBROWN foxes') },
    ]);
    expect(Math.abs((found[0]?.createdAt ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(texts(await repository.findByContent('fox', { limit: 1 }))).toEqual(['The quick brown fox']);
    expect(await repository.findByContent('wolf')).toEqual([]);
  });

  it('finds words of any script, case and width, and what tools gave', async () => {
    const repository = searched(server);
    const all = [
      'Größe: ＸＬ',
      '我住在東京都',
      'ฉันอยู่กรุงเทพ',
      'Привет, мир',
      'a\u0301gil',
      'nul\0in',
      'snake_case',
      '42',
    ];
    await repository.append('c', [
      ...all.map((text) => userMessage(text)),
      toolResponseMessage([{ id: 'c1', name: 'f', result: 'It rains' }]),
    ]);
    const asked = ['größe xl', '東京', 'กรุงเทพ', 'МИР', 'ágil', 'nul in', 'case', '42'];
    for (const [at, content] of asked.entries())
      expect(texts(await repository.findByContent(content)), content).toEqual([all[at]]);
    expect(await repository.findByContent('it rains')).toMatchObject([{ sequence: all.length + 1 }]);
  });

  it('takes what looks like a query for text', async () => {
    const repository = searched(server, { metadataFields: { tag: 'tag', words: 'text' } });
    const hostile = [
      '@type:{user} | (*)',
      '"quoted" -not ~maybe %fuzzy%',
      "it's {a}|{b} [1 2] $param \\ =>[KNN 1]",
      '* | @words:x*',
      ') (@conversation:{victim}',
      "wild'*' \"",
      '}|{*',
      'with, comma\u001fand unit',
    ];
    await repository.append('victim', [userMessage('secret of another user')]);
    for (const [at, text] of hostile.entries())
      await repository.append(`c${at}`, [userMessage(text, { metadata: { tag: text, words: text } })]);
    for (const [at, text] of hostile.entries()) {
      const where = [{ conversationId: `c${at}` }];
      if (/[a-z0-9]/.test(text)) {
        expect(await repository.findByContent(text), text).toMatchObject(where);
        expect(await repository.findByMetadata('words', text), text).toMatchObject(where);
      }
      expect(await repository.findByMetadata('tag', text), text).toMatchObject(where);
      expect(await repository.findByTimeRange(text, 0, Date.now() * 2), text).toEqual([]);
    }
    await expect(repository.findByContent('* | (')).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('finds by type, and nothing else is one', async () => {
    const repository = searched(server);
    await repository.append('a', [systemMessage('s'), userMessage('q'), assistantMessage('r')]);
    await repository.append('b', [userMessage('q2')]);
    expect(texts(await repository.findByType('user'))).toEqual(['q', 'q2']);
    expect(texts(await repository.findByType('system'))).toEqual(['s']);
    expect(await repository.findByType('tool')).toEqual([]);
    const other = '*' as Message['type'];
    await expect(repository.findByType(other)).rejects.toMatchObject({ code: 'invalid_argument', subject: 'type' });
  });

  it('finds by time, both ends included, in one conversation or in all', async () => {
    const repository = searched(server);
    const odd = 'Ann {of} *';
    await repository.append(odd, [userMessage('one')]);
    await repository.append('bob', [userMessage('two')]);
    const all = await repository.findByTimeRange(undefined, 0, Number.POSITIVE_INFINITY);
    const of = (id: string): number => all.find((one) => one.conversationId === id)?.createdAt ?? 0;
    const at = [of(odd), of('bob')] as const;
    expect(texts(await repository.findByTimeRange(odd, new Date(at[0]), new Date(at[0])))).toEqual(['one']);
    expect(texts(await repository.findByTimeRange('bob', at[1], at[1]))).toEqual(['two']);
    // Both may be of one moment.
    expect(texts(await repository.findByTimeRange(undefined, at[0], at[1])).toSorted()).toEqual(['one', 'two']);
    expect(await repository.findByTimeRange(undefined, 0, at[0] - 1)).toEqual([]);
    expect(await repository.findByTimeRange('nobody', 0, at[1])).toEqual([]);
    const noDate = new Date(Number.NaN);
    await expect(repository.findByTimeRange('bob', noDate, 1)).rejects.toMatchObject({ subject: 'from' });
    await expect(repository.findByTimeRange(' ', 0, 1)).rejects.toMatchObject({ code: 'missing_conversation_id' });
  });

  it('finds by declared metadata: numbers, whole values and words; what comes back has its types', async () => {
    const metadataFields = { year: 'numeric', 'a.b c': 'tag', note: 'text', toString: 'tag' } as const;
    const repository = searched(server, { metadataFields });
    const metadata = [
      { year: 2026, 'a.b c': 'Red', note: 'Call me back' },
      { year: 2026.5, 'a.b c': ['red', 5, true], note: 'back, call me' },
      { year: '2026', 'a.b c': '5', note: 7 },
      { year: null, 'a.b c': ' red ', note: ['call', 'me'] },
      { 'a.b c': '' },
      { 'a.b c': [' \t', `${'x'.repeat(5000)}1`] },
      { 'a.b c': `${'x'.repeat(5000)}2` },
    ];
    await repository.append(
      'c',
      metadata.map((own, at) => userMessage(`m${at}`, { metadata: own })),
    );
    const by = async (key: string, value: string | number | boolean): Promise<string[]> =>
      texts(await repository.findByMetadata(key, value));
    expect(await by('year', 2026)).toEqual(['m0']);
    expect(await by('year', 2026.5)).toEqual(['m1']);
    expect(await by('a.b c', 'Red')).toEqual(['m0']);
    expect(await by('a.b c', 'red')).toEqual(['m1']);
    expect(await by('a.b c', ' red ')).toEqual(['m3']);
    expect([await by('a.b c', 5), await by('a.b c', '5'), await by('a.b c', true)]).toEqual([['m1'], ['m2'], ['m1']]);
    expect([await by('a.b c', ''), await by('a.b c', ' \t')]).toEqual([['m4'], ['m5']]);
    expect(await by('a.b c', `${'x'.repeat(5000)}2`)).toEqual(['m6']);
    expect(await by('note', 'call ME')).toEqual(['m0', 'm1', 'm3']);
    expect(await by('toString', 'x')).toEqual([]);
    const all = await repository.executeQuery('*');
    expect(all.map(({ message }) => message.metadata)).toEqual(metadata);
    const refused = { code: 'invalid_argument' };
    await expect(by('other', 'x')).rejects.toMatchObject({ ...refused, subject: 'key' });
    await expect(by('year', '2026')).rejects.toMatchObject({ ...refused, subject: 'value' });
    await expect(by('a.b c', null as unknown as string)).rejects.toMatchObject({ ...refused, subject: 'value' });
  });

  it('takes queries of the language of the engine, with values beside them', async () => {
    const repository = searched(server, { metadataFields: { year: 'numeric' } });
    const years = [2024, 2025, 2026];
    await repository.append(
      'c',
      years.map((year) => userMessage(`of ${year}`, { metadata: { year } })),
    );
    await repository.append('d', [assistantMessage('of none')]);
    const query = '@conversation:{$id} @metadata_year:[(2024 +inf] @words:of';
    expect(texts(await repository.executeQuery(query, { params: { id: 'c' } }))).toEqual(['of 2025', 'of 2026']);
    expect(texts(await repository.executeQuery('-@type:{user}'))).toEqual(['of none']);
    const wrong: unknown = await repository.executeQuery('@words:(private').catch((thrown: unknown) => thrown);
    expect(wrong).toMatchObject({ code: 'invalid_argument', subject: 'query' });
    expect(String(wrong)).not.toContain('private');
    await expect(repository.executeQuery('$no:x')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(repository.executeQuery(' ')).rejects.toMatchObject({ subject: 'query' });
    for (const limit of [0, 1.5, 10_001])
      await expect(repository.executeQuery('*', { limit })).rejects.toMatchObject({ subject: 'limit' });
  });

  it('finds no more what was deleted, trimmed, replaced or has expired, and not the next one in its place', async () => {
    const name = server.name();
    const repository = searched(server, { keyPrefix: `${name}:`, indexName: name });
    await repository.append(
      'c',
      ['one', 'two', 'three'].map((text) => userMessage(`same ${text}`)),
    );
    await repository.append('d', [userMessage('same four')]);
    await repository.deleteBefore('c', 2);
    expect(texts(await repository.findByContent('same'))).toEqual(['same two', 'same three', 'same four']);
    await repository.saveAll('c', [userMessage('same five')]);
    await repository.deleteByConversationId('d');
    expect(texts(await repository.findByContent('same'))).toEqual(['same five']);
    // What expiry does.
    await server.client.del(`${name}:{c}`);
    expect(await repository.findByContent('same')).toEqual([]);
    await server.client.hset(`${name}:message:{c}:1`, {
      conversation: 'c',
      createdAt: 1,
      words: 'same old',
      place: '0',
    });
    await server.repository({ keyPrefix: `${name}:` }).append('c', [userMessage('not kept for searching')]);
    expect(await repository.findByContent('same')).toEqual([]);
    await repository.append('c', [userMessage('same six')]);
    expect(texts(await repository.findByContent('same'))).toEqual(['same six']);
  });

  it('gives messages of one moment in their order, beyond what the engine gives at once', async () => {
    const repository = searched(server);
    await repository.append(
      'c',
      Array.from({ length: 1200 }, (_, at) => userMessage(`word ${at}`)),
    );
    const found = await repository.findByContent('word', { limit: 10_000 });
    expect(found.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 1200 }, (_, at) => at + 1));
    expect(await repository.findByContent('word', { limit: 700 })).toHaveLength(700);
  });

  it('finds in a message of five million characters', async () => {
    const repository = searched(server);
    await repository.append('c', [userMessage(`${'0123456789abcdé€'.repeat(5_000_000 / 16)} needle`)]);
    expect(await repository.findByContent('needle')).toHaveLength(1);
  });

  it('ends with the signal', async () => {
    const repository = searched(server);
    const signal = AbortSignal.abort();
    await expect(repository.findByContent('x', { signal })).rejects.toMatchObject({ code: 'aborted' });
    await repository.close();
    await expect(repository.findByContent('x')).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('without a query engine', () => {
  it('is refused where messages are not kept for it', async () => {
    const { RedisChatMemoryRepository } = await import('@vernal/memory-redis');
    const repository = new RedisChatMemoryRepository({ client: { call: async () => null } });
    await expect(repository.findByContent('x')).rejects.toMatchObject({
      code: 'unsupported_capability',
      subject: 'search',
    });
  });
});

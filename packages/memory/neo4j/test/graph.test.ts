import {
  assistantMessage,
  encodeMessage,
  MessageWindowChatMemory,
  media,
  messageText,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import type { Neo4jMemoryLabels } from '@vernal/memory-neo4j';
import neo4j from 'neo4j-driver';
import { expect, it } from 'vitest';
import { describeOnServer } from './server.js';

const PICTURE = media('image/png', new Uint8Array(1000), { id: 'm1', name: 'pixels' });
const MESSAGES = [
  systemMessage('Be terse.'),
  userMessage('Look 😀', {
    media: [PICTURE, media('image/jpeg', 'https://example.com/a.jpg', { name: 'photo' })],
    metadata: { lang: 'en' },
  }),
  assistantMessage({
    toolCalls: [
      { id: 'c1', name: 'weather', arguments: '{"city":"東京"}' },
      { id: 'c2', name: 'now', arguments: '' },
    ],
  }),
  toolResponseMessage([
    {
      id: 'c1',
      name: 'weather',
      result: 'rain',
      media: [media('image/png', 'data:image/png;base64,AAEC', { name: 'map' })],
    },
    { id: 'c2', name: 'now', result: 'failed', isError: true },
  ]),
];

describeOnServer('the graph', (server) => {
  /** How many nodes there are of each label, without those that have none. */
  async function counts(labels: Neo4jMemoryLabels): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const [name, label] of Object.entries(labels)) {
      const [row] = (await server.query(`MATCH (n:${label}) RETURN count(n) AS n`)) as { n: number }[];
      if (row !== undefined && row.n > 0) found[name] = row.n;
    }
    return found;
  }

  it('has the whole message in its node, and around it what people ask for', async () => {
    const labels = await server.labels();
    await server.repository({ labels }).append('ann', MESSAGES);
    const [session] = await server.query(`MATCH (s:${labels.session}) RETURN properties(s) AS s`);
    expect(session).toEqual({
      s: {
        key: 'ann',
        conversationId: 'ann',
        sequence: 4,
        layout: 1,
        createdAt: expect.anything(),
        writes: [expect.stringMatching(/^[0-9a-f-]{36} 4$/)],
      },
    });
    const rows = await server.query(
      `MATCH (:${labels.session} {conversationId: 'ann'})-[:HAS_MESSAGE]->(m:${labels.message}) WITH m ORDER BY m.sequence
RETURN m.session AS session, m.sequence AS sequence, m.type AS type, m.text AS text, m.message AS message,
  abs(duration.between(m.createdAt, datetime()).seconds) < 60 AS isNow`,
    );
    const texts = ['Be terse.', 'Look 😀', '', 'rain\nfailed'];
    expect(rows).toEqual(
      MESSAGES.map((message, index) => ({
        ...{ session: 'ann', sequence: index + 1, type: message.type, text: texts[index], isNow: true },
        message: encodeMessage(message),
      })),
    );
    expect(await counts(labels)).toEqual({
      ...{ session: 1, message: 4, toolCall: 2, toolResponse: 2, metadata: 1, media: 3 },
    });
    const parts = await server.query(
      `MATCH (m:${labels.message})-[r]->(p) WITH m, r, p ORDER BY m.sequence, type(r), p.index
RETURN type(r) AS how, properties(p) AS what`,
    );
    expect(parts).toEqual([
      { how: 'HAS_MEDIA', what: { index: 0, mimeType: 'image/png', id: 'm1', name: 'pixels', size: 1000 } },
      { how: 'HAS_MEDIA', what: { index: 1, mimeType: 'image/jpeg', name: 'photo', url: 'https://example.com/a.jpg' } },
      { how: 'HAS_METADATA', what: { lang: 'en' } },
      { how: 'HAS_TOOL_CALL', what: { index: 0, id: 'c1', name: 'weather', arguments: '{"city":"東京"}' } },
      { how: 'HAS_TOOL_CALL', what: { index: 1, id: 'c2', name: 'now', arguments: '' } },
      { how: 'HAS_TOOL_RESPONSE', what: { index: 0, id: 'c1', name: 'weather', result: 'rain', isError: false } },
      { how: 'HAS_TOOL_RESPONSE', what: { index: 1, id: 'c2', name: 'now', result: 'failed', isError: true } },
    ]);
    const shown = await server.query(
      `MATCH (r:${labels.toolResponse})-[:HAS_MEDIA]->(p:${labels.media}) RETURN r.id AS id, properties(p) AS what`,
    );
    expect(shown).toEqual([{ id: 'c1', what: { index: 0, mimeType: 'image/png', name: 'map', size: 3 } }]);
    const systems = await server.query(
      `MATCH (:${labels.session})-[:HAS_SYSTEM_MESSAGE]->(m:${labels.message}) RETURN m.text AS text`,
    );
    expect(systems).toEqual([{ text: 'Be terse.' }]);
  });

  it('leaves no node alone, whatever is deleted, and none of others is deleted', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    await repository.append('other', MESSAGES);
    const ofOther = await counts(labels);
    const twice = Object.fromEntries(Object.entries(ofOther).map(([name, count]) => [name, 2 * count]));

    await repository.append('c', MESSAGES);
    await server.query(
      `MATCH (m:${labels.message} {session: 'c', sequence: 2}) CREATE (m)-[:HAS_MEDIA]->(:${labels.session}_mine {kept: true})`,
    );
    expect(await counts(labels)).toEqual(twice);
    await repository.deleteByConversationId('c');
    expect(await counts(labels)).toEqual(ofOther);
    const mine = await server.query(`MATCH (n:${labels.session}_mine) DETACH DELETE n RETURN true AS kept`);
    expect(mine).toEqual([{ kept: true }]);

    await repository.append('c', [...MESSAGES, ...MESSAGES]);
    await repository.saveAll('c', MESSAGES);
    expect(await counts(labels)).toEqual(twice);
    await repository.deleteBefore('c', Number.POSITIVE_INFINITY, { keepSystem: true });
    expect(await counts(labels)).toEqual({ ...ofOther, session: 2, message: 5 });
    await repository.deleteBefore('c', Number.POSITIVE_INFINITY);
    expect(await counts(labels)).toEqual({ ...ofOther, session: 2 });
    await repository.saveAll('other', []);
    expect(await counts(labels)).toEqual({ session: 2 });
  });

  it('has metadata as properties where a node can hold them, as JSON text where not', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    const metadata = {
      ...{
        text: 'a\0b',
        whole: 3,
        part: 0.5,
        big: 2 ** 60,
        yes: true,
        nothing: null,
        'odd `key`': 1,
        ['__proto__']: 'p',
      },
      ...{
        words: ['a', 'b'],
        numbers: [1, 2],
        mixed: [1, 0.5],
        unlike: [1, 'a'],
        none: [],
        deep: { er: [1] },
        holes: ['a', null],
      },
      ...{ '': 'no name', 'a\0b': 'no name', '\ud800': 'no name', ['x'.repeat(256)]: 'long name' },
    };
    const message = userMessage('x', { metadata });
    await repository.append('c', [message]);
    const [row] = await server.query(`MATCH (:${labels.message})-[:HAS_METADATA]->(n:${labels.metadata})
RETURN properties(n) AS stored, valueType(n.whole) AS whole, valueType(n.numbers) AS numbers`);
    expect(row).toEqual({
      stored: {
        ...{ text: 'a\ufffdb', whole: 3, part: 0.5, big: 2 ** 60, yes: true, 'odd `key`': 1, ['__proto__']: 'p' },
        ...{ words: ['a', 'b'], numbers: [1, 2], mixed: [1, 0.5], unlike: '[1,"a"]', none: [] },
        ...{ deep: '{"er":[1]}', holes: '["a",null]' },
      },
      whole: 'INTEGER NOT NULL',
      numbers: expect.stringContaining('INTEGER'),
    });
    expect((await repository.findByConversationId('c')).messages).toEqual([message]);
  });

  it('has ids that are long or odd under a hash, beside which the id stands', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    for (const id of ['"}) DETACH DELETE n //', 'x'.repeat(1000), 'a\0b'])
      await repository.append(id, [userMessage('x')]);
    const rows = (await server.query(`MATCH (s:${labels.session}) RETURN s.key AS key, s.conversationId AS id`)) as {
      readonly key: string;
      readonly id: string;
    }[];
    for (const { key } of rows) expect(key).toMatch(/^sha256-[0-9a-f]{64}$/);
    const ids = rows.map(({ id }) => id).toSorted();
    expect(ids).toEqual(['"}) DETACH DELETE n //', 'json:"a\\u0000b"', 'x'.repeat(1000)]);
  });

  it('remembers the last 32 writes, and no more', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    for (let turn = 0; turn < 40; turn++) await repository.append('c', [userMessage('x')]);
    const rows = await server.query(`MATCH (s:${labels.session}) RETURN size(s.writes) AS n, s.writes[0] AS last`);
    expect(rows).toEqual([{ n: 32, last: expect.stringMatching(/ 40$/) }]);
  });

  it('is read whatever a driver gives integers as', async () => {
    const labels = await server.labels();
    for (const config of [{}, { useBigInt: true }, { disableLosslessIntegers: true }]) {
      const driver = neo4j.driver(server.url, undefined, config);
      const repository = server.repository({ driver, labels });
      await repository.saveAll('c', []);
      const { sequence } = await repository.append('c', MESSAGES);
      const slice = await repository.findByConversationId('c', { last: 2, includeSystem: true });
      expect([slice.sequences, slice.sequence]).toEqual([[sequence - 3, sequence - 1, sequence], sequence]);
      await expect(repository.append('c', MESSAGES, { expectedSequence: 1 })).rejects.toMatchObject({
        actualSequence: sequence,
      });
      await driver.close();
    }
  });

  it('is what a window reads and trims', async () => {
    const memory = new MessageWindowChatMemory({ repository: server.repository(), maxMessages: 4 });
    await memory.add('ann', systemMessage('Be terse.'));
    for (let turn = 0; turn < 6; turn++) await memory.add('ann', [userMessage(`q${turn}`), userMessage(`r${turn}`)]);
    expect((await memory.get('ann')).map(messageText)).toEqual(['Be terse.', 'q4', 'r4', 'q5', 'r5']);
    await memory.clear('ann');
    expect(await memory.get('ann')).toEqual([]);
  });
});

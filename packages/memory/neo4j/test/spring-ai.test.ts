import {
  assistantMessage,
  type Message,
  media,
  messageEquals,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { type SpringAiNeo4jConversation, springAiNeo4jConversations } from '@vernal/memory-neo4j';
import neo4j from 'neo4j-driver';
import { expect, it } from 'vitest';
import { describeOnServer, type Neo4jServer } from './server.js';

/** As Spring AI writes it: one conversation of every kind, whose lists of eleven would stand in another order by text. */
async function springAis(server: Neo4jServer) {
  const labels = await server.labels(false);
  const { session, message, toolCall, toolResponse, metadata, media: picture } = labels;
  const make = (idx: number, type: string, text: string | null, rest: string = '', parameters: object = {}) =>
    server.query(
      `MERGE (s:${session} {id: 'ann'}) CREATE (s)-[:HAS_MESSAGE]->(m:${message} {id: randomUUID(), messageType: $type, idx: $idx}) SET m.textContent = $text
${rest}`,
      { idx: BigInt(idx), type, text, ...parameters },
    );
  const of = (label: string, relationship: string): string =>
    `WITH m UNWIND $nodes AS node CREATE (m)-[:${relationship}]->(p:${label}) SET p = node`;
  const eleven = Array.from({ length: 11 }, (_, at) => at);
  await make(2, 'user', 'Look', of(picture, 'HAS_MEDIA'), {
    nodes: [
      { id: 'm1', name: 'photo', mimeType: 'image/jpeg', data: 'https://example.com/a.jpg', idx: 1n },
      { name: 'pixels', mimeType: 'image/png', data: new Int8Array([0, -1, 7]), idx: 0n },
    ],
  });
  await make(1, 'system', 'Be terse.', of(metadata, 'HAS_METADATA'), {
    nodes: [{ whole: 3n, part: 0.5, list: ['a', 'b'], at: neo4j.types.Date.fromStandardDate(new Date('2026-01-02')) }],
  });
  await make(3, 'assistant', null, of(toolCall, 'HAS_TOOL_CALL'), {
    nodes: eleven
      .map((at) => ({ id: `c${at}`, name: 'now', arguments: '{}', type: 'function', idx: BigInt(at) }))
      .reverse(),
  });
  await make(4, 'tool', '', of(toolResponse, 'HAS_TOOL_RESPONSE'), {
    nodes: eleven.map((at) => ({ id: `c${at}`, name: 'now', responseData: `${at}`, idx: `${at}` })).reverse(),
  });
  await server.query(`CREATE (s:${session} {id: 'bob'})`);
  const ann: Message[] = [
    systemMessage('Be terse.', { metadata: { whole: 3, part: 0.5, list: ['a', 'b'], at: '2026-01-02' } }),
    userMessage('Look', {
      media: [
        media('image/png', new Uint8Array([0, 255, 7]), { name: 'pixels' }),
        media('image/jpeg', 'https://example.com/a.jpg', { id: 'm1', name: 'photo' }),
      ],
    }),
    assistantMessage({ toolCalls: eleven.map((at) => ({ id: `c${at}`, name: 'now', arguments: '{}' })) }),
    toolResponseMessage(eleven.map((at) => ({ id: `c${at}`, name: 'now', result: `${at}` }))),
  ];
  return { labels, ann };
}

describeOnServer("Spring AI's nodes", (server) => {
  it('are read whole and in order, whatever the driver gives integers as, and copied', async () => {
    const { labels, ann } = await springAis(server);
    for (const config of [{}, { useBigInt: true }, { disableLosslessIntegers: true }]) {
      const driver = neo4j.driver(server.url, undefined, config);
      const found: SpringAiNeo4jConversation[] = [];
      for await (const one of springAiNeo4jConversations(driver, { labels })) found.push(one);
      await driver.close();
      expect(found.map(({ conversationId, messages }) => [conversationId, messages.length])).toEqual([
        ['ann', 4],
        ['bob', 0],
      ]);
      for (const [index, message] of ann.entries())
        expect(messageEquals(found[0]?.messages[index] ?? userMessage(''), message), message.type).toBe(true);
    }
    // The same labels even: nobody takes the nodes of the other for his own.
    const repository = server.repository({ labels });
    for await (const { conversationId, messages } of springAiNeo4jConversations(server.driver, { labels }))
      await repository.append(conversationId, messages, { expectedSequence: 0 });
    expect((await repository.findByConversationId('ann')).messages).toHaveLength(4);
    const ids: string[] = [];
    for await (const id of repository.findConversationIds()) ids.push(id);
    expect(ids).toEqual(['ann']);
    await repository.deleteByConversationId('ann');
    const left: number[] = [];
    for await (const { messages } of springAiNeo4jConversations(server.driver, { labels })) left.push(messages.length);
    expect(left).toEqual([4, 0]);
  });

  it('of another kind are refused, and options that are none', async () => {
    const { labels } = await springAis(server);
    await server.query(`MATCH (m:${labels.message} {idx: 2}) SET m.messageType = 'secret'`);
    const read = (options: object) => springAiNeo4jConversations(server.driver, options)[Symbol.asyncIterator]().next();
    const error: unknown = await read({ labels }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store_read', subject: 'labels' });
    expect(String(error)).not.toContain('secret');
    await expect(read({ label: 'x' })).rejects.toMatchObject({ code: 'invalid_argument', subject: 'label' });
    await expect(read({ labels, database: '' })).rejects.toMatchObject({ subject: 'database' });
    await expect(read({ labels, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});

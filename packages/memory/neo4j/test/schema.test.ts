import { userMessage, VernalError } from '@vernal/core';
import { Neo4jChatMemoryRepository, type Neo4jMemoryLabels, neo4jMemorySchema } from '@vernal/memory-neo4j';
import { describe, expect, it } from 'vitest';
import { describeOnServer, escaped } from './server.js';

describeOnServer('the schema', (server) => {
  const indexes = (labels: Neo4jMemoryLabels): Promise<object[]> =>
    server.query(
      `SHOW INDEXES YIELD state, labelsOrTypes, properties, owningConstraint WHERE labelsOrTypes[0] IN $names
RETURN state, labelsOrTypes[0] AS label, properties, owningConstraint IS NOT NULL AS isUnique ORDER BY label`,
      { names: Object.values(labels) },
    );
  const whole = ({ session, message }: Neo4jMemoryLabels): object[] => [
    { state: 'ONLINE', label: message, properties: ['session', 'sequence'], isUnique: false },
    { state: 'ONLINE', label: session, properties: ['key'], isUnique: true },
  ];

  it('is made once, at the first use, by several at once', async () => {
    const labels = await server.labels(false);
    const repositories = [1, 2, 3, 4].map(() => server.repository({ labels }));
    expect(await indexes(labels)).toEqual([]);
    await Promise.all(repositories.map((one, at) => one.append('c', [userMessage(`${at}`)])));
    expect(await indexes(labels)).toEqual(whole(labels));
    expect((await server.repository({ labels, initializeSchema: 'never' }).findByConversationId('c')).sequence).toBe(4);
    const [sessions] = await server.query(`MATCH (s:${labels.session}) RETURN count(s) AS n`);
    expect(sessions).toEqual({ n: 1 });
  });

  it('that is missing is named with its fix, nothing is written, and it is looked for again', async () => {
    const labels = await server.labels(false);
    for (const initializeSchema of ['never', 'embedded'] as const) {
      const repository = server.repository({ labels, initializeSchema });
      const [constraint = '', index = ''] = neo4jMemorySchema(labels);
      for (const statement of ['RETURN 1', constraint]) {
        await server.query(statement);
        const error: unknown = await repository.append('c', [userMessage('x')]).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'invalid_state', subject: 'initializeSchema' });
        expect(String(error)).toMatch(/initializeSchema: 'always'.*neo4jMemorySchema\(\)/);
      }
      expect(await server.query(`MATCH (n:${labels.session}) RETURN n`)).toEqual([]);
      await server.query(index);
      expect(await repository.append('c', [userMessage('x')])).toEqual({ sequence: 1 });
      await repository.deleteByConversationId('c');
      for (const { name } of (await server.query(
        'SHOW INDEXES YIELD name, labelsOrTypes, owningConstraint WHERE labelsOrTypes[0] IN $names AND owningConstraint IS NULL RETURN name',
        { names: Object.values(labels) },
      )) as { name: string }[])
        await server.query(`DROP INDEX ${escaped(name)}`);
      for (const { name } of (await server.query(
        'SHOW CONSTRAINTS YIELD name, labelsOrTypes WHERE labelsOrTypes[0] IN $names RETURN name',
        { names: Object.values(labels) },
      )) as { name: string }[])
        await server.query(`DROP CONSTRAINT ${escaped(name)}`);
    }
  });

  it('that cannot be made says why: another index, and conversations that are there twice', async () => {
    const labels = await server.labels(false);
    await server.query(`CREATE INDEX FOR (s:${labels.session}) ON (s.key)`);
    const repository = server.repository({ labels });
    await expect(repository.append('c', [userMessage('x')])).rejects.toMatchObject({
      code: 'store_write',
      message: expect.stringContaining('drop it'),
      details: { code: 'Neo.ClientError.Schema.IndexAlreadyExists' },
    });
    const twice = await server.labels(false);
    await server.query(`UNWIND [1, 2] AS n CREATE (:${twice.session} {key: 'secret'})`);
    const error = await server
      .repository({ labels: twice })
      .append('c', [userMessage('x')])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store_write', message: expect.stringContaining('twice') });
    expect(String(error)).not.toContain('secret');
  });

  it('has labels of any kind', async () => {
    const plain = await server.labels(false);
    const hostile: Neo4jMemoryLabels = {
      session: `${plain.session}\`) DETACH DELETE n //`,
      message: `${plain.message} 'quoted" 日本 😀`,
      toolCall: `${plain.toolCall}:Other|Label`,
      toolResponse: `${plain.toolResponse}$name`,
      metadata: '0 {a: 1}',
      media: 'MATCH ``',
    };
    const repository = server.repository({ labels: hostile });
    await repository.append('c', [userMessage('x', { metadata: { a: 1 } })]);
    const read = await repository.findByConversationId('c', { last: 1, includeSystem: true });
    expect(read.messages).toHaveLength(1);
    await repository.saveAll('c', [userMessage('y')]);
    await repository.deleteBefore('c', 5);
    await repository.deleteByConversationId('c');
    const names = Object.values(hostile);
    expect(await server.query('MATCH (n) WHERE any(one IN labels(n) WHERE one IN $names) RETURN n', { names })).toEqual(
      [],
    );
    for (const { name, isIndex } of (await server.query(
      'SHOW INDEXES YIELD name, labelsOrTypes, owningConstraint WHERE labelsOrTypes[0] IN $names RETURN name, owningConstraint IS NULL AS isIndex',
      { names },
    )) as { name: string; isIndex: boolean }[])
      await server.query(`DROP ${isIndex ? 'INDEX' : 'CONSTRAINT'} ${escaped(name)}`);
  });

  it('of a later release is refused, conversation by conversation, and left as it is', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    await repository.append('c', [userMessage('x')]);
    await repository.append('other', [userMessage('x')]);
    await server.query(`MATCH (s:${labels.session} {key: 'c'}) SET s.layout = 2`);
    for (const work of [
      () => repository.append('c', [userMessage('lost')]),
      () => repository.saveAll('c', []),
      () => repository.findByConversationId('c'),
      () => repository.deleteBefore('c', 10),
      () => repository.deleteByConversationId('c'),
    ]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      expect(VernalError.is(error) && [error.code, error.subject]).toEqual(['invalid_state', 'layout']);
    }
    const rows = await server.query(
      `MATCH (s:${labels.session} {key: 'c'})-[:HAS_MESSAGE]->(m) RETURN s.sequence AS sequence, m.text AS text`,
    );
    expect(rows).toEqual([{ sequence: 1, text: 'x' }]);
    expect(await repository.append('other', [userMessage('y')])).toEqual({ sequence: 2 });
  });
});

describe('neo4jMemorySchema', () => {
  it('gives the statements', () => {
    expect(neo4jMemorySchema({ session: 'A`B' })).toEqual([
      'CREATE CONSTRAINT IF NOT EXISTS FOR (s:`A``B`) REQUIRE s.key IS UNIQUE',
      'CREATE INDEX IF NOT EXISTS FOR (m:`ChatMessage`) ON (m.session, m.sequence)',
    ]);
  });
});

describe('labels', () => {
  const make = (labels: unknown) => (): unknown =>
    new Neo4jChatMemoryRepository({ url: 'bolt://127.0.0.1:1', labels: labels as Partial<Neo4jMemoryLabels> });
  it.each([
    ['labels.session', { session: '' }],
    ['labels.session', { session: ' ' }],
    ['labels.message', { message: 'a\\u0060b' }],
    ['labels.media', { media: 'a\0b' }],
    ['labels.media', { media: '\ud800' }],
    ['labels.media', { media: 'x'.repeat(256) }],
    ['labels.media', { media: 1 }],
    ['labels.session', { session: null }],
    ['labels.Session', { Session: 'A' }],
    ['labels', { session: 'ChatMessage' }],
    ['labels', 'Session'],
    ['labels', null],
  ])('that cannot be are refused: %s', (subject, labels) => {
    expect(make(labels)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });
});

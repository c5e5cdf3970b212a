import { userMessage, VernalError } from '@vernal/core';
import { JdbcChatMemoryRepository, type JdbcDialect, jdbcSchema, sqliteDialect } from '@vernal/memory-jdbc';
import { postgresError, type SqlDatabase, type SqlDialect, sqliteDatabase } from '@vernal/sql';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('the tables', () => {
  let client: Database.Database;
  beforeEach(() => {
    client = new Database(':memory:');
  });
  afterEach(() => {
    client.close();
  });
  const names = (schema = 'main'): unknown[] =>
    client
      .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY name`)
      .all()
      .map((row) => (row as { name: string }).name);

  it('are made at the first use, once, and only where they may', async () => {
    const repository = new JdbcChatMemoryRepository({ client });
    expect(names()).toEqual([]);
    await Promise.all([repository.append('c', [userMessage('a')]), repository.append('c', [userMessage('b')])]);
    expect(names()).toEqual([
      'vernal_chat_memory_conversation',
      'vernal_chat_memory_message',
      'vernal_chat_memory_version',
    ]);
    expect(client.prepare('SELECT version FROM vernal_chat_memory_version').all()).toEqual([{ version: 1 }]);
    const again = new JdbcChatMemoryRepository({ client, initializeSchema: 'never' });
    expect((await again.findByConversationId('c')).messages).toHaveLength(2);
  });

  it('that are missing are named, and looked for again by the next call', async () => {
    const repository = new JdbcChatMemoryRepository({ client, initializeSchema: 'never' });
    await expect(repository.append('c', [userMessage('a')])).rejects.toMatchObject({
      code: 'store_read',
      message: expect.stringContaining('table does not exist'),
    });
    for (const statement of jdbcSchema('sqlite')) client.exec(statement);
    await repository.append('c', [userMessage('a')]);
    expect((await repository.findByConversationId('c')).sequence).toBe(1);
  });

  it('may hold a write whose answer was lost: its error says so', async () => {
    const whole = sqliteDatabase(client);
    let isLost = false;
    const database: SqlDatabase = {
      ...whole,
      async run(statements, context) {
        const results = await whole.run(statements, context);
        if (isLost) throw postgresError({ code: 'ECONNRESET' }, { code: 'store_write' });
        return results;
      },
    };
    const repository = new JdbcChatMemoryRepository({ client: database });
    await repository.append('c', [userMessage('a')]);
    isLost = true;
    await expect(repository.append('c', [userMessage('b')])).rejects.toMatchObject({
      code: 'store_write',
      retryable: true,
      message: expect.stringContaining('whether it was written is not known'),
      details: { reason: 'ECONNRESET', outcome: 'unknown' },
    });
    isLost = false;
    expect((await repository.findByConversationId('c')).messages).toHaveLength(2);
  });

  it('of a newer release, or half made, are refused', async () => {
    await new JdbcChatMemoryRepository({ client }).append('c', [userMessage('a')]);
    for (const [change, words] of [
      ['UPDATE vernal_chat_memory_version SET version = 2', 'newer release'],
      ['DELETE FROM vernal_chat_memory_version', 'nobody has finished'],
    ]) {
      client.exec(change ?? '');
      const repository = new JdbcChatMemoryRepository({ client, initializeSchema: 'never' });
      await expect(repository.findByConversationId('c')).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining(words ?? ''),
      });
    }
    // A start that may create finishes what was half made.
    await new JdbcChatMemoryRepository({ client }).append('c', [userMessage('b')]);
  });

  it('have names of any kind, and are apart under different ones', async () => {
    client.exec("ATTACH ':memory:' AS other");
    const hostile = new JdbcChatMemoryRepository({ client, schema: 'other', tablePrefix: `"; DROP TABLE x; --'` });
    await hostile.append('c', [userMessage('hostile')]);
    const plain = new JdbcChatMemoryRepository({ client });
    expect((await plain.findByConversationId('c')).messages).toEqual([]);
    expect((await hostile.findByConversationId('c', { last: 5, includeSystem: true })).sequence).toBe(1);
    expect(names('other')).toHaveLength(3);
  });

  it('are made by statements of your own where you have some', async () => {
    const schemaScript = jdbcSchema('sqlite', { tablePrefix: 'mine' }).map((text) => text.replace('WITHOUT ROWID', ''));
    const repository = new JdbcChatMemoryRepository({ client, tablePrefix: 'mine', schemaScript });
    await repository.append('c', [userMessage('a')]);
    expect(names()).toEqual(['mine_conversation', 'mine_message', 'mine_version']);
    const sql = client.prepare("SELECT sql FROM sqlite_schema WHERE name = 'mine_conversation'").all()[0];
    expect(JSON.stringify(sql)).not.toContain('WITHOUT ROWID');
  });

  it('are those of a dialect of your own', async () => {
    const seen: string[] = [];
    const dialect: JdbcDialect = {
      ...sqliteDialect,
      limited: (query, count) => {
        seen.push(`limited to ${count}`);
        return sqliteDialect.limited(query, count);
      },
    };
    const repository = new JdbcChatMemoryRepository({ client, dialect });
    await repository.append('c', [userMessage('a'), userMessage('b')]);
    expect((await repository.findByConversationId('c', { last: 1 })).messages).toEqual([userMessage('b')]);
    expect(seen).toEqual(['limited to 1']);
  });

  it('hold what people query', async () => {
    const repository = new JdbcChatMemoryRepository({ client });
    await repository.append('a\0b', [userMessage('x\0y')]);
    const joined = client
      .prepare(
        `SELECT c.conversation_id, m.sequence, m.type, m.text, length(m.created_at) AS time FROM vernal_chat_memory_conversation c
         JOIN vernal_chat_memory_message m ON m.conversation_key = c.conversation_key`,
      )
      .all();
    expect(joined).toEqual([
      { conversation_id: 'json:"a\\u0000b"', sequence: 1, type: 'user', text: 'x\ufffdy', time: 24 },
    ]);
  });

  it('that fail to be made are tried again, and an abort of one does not fail another', async () => {
    const real = sqliteDatabase(client);
    let fails = 1;
    const database: SqlDatabase = {
      ...real,
      async run(statements, context) {
        if (fails-- > 0) throw new VernalError('down', { code: 'store_write', retryable: true });
        return real.run(statements, context);
      },
    };
    const repository = new JdbcChatMemoryRepository({ client: database });
    await expect(repository.append('c', [userMessage('a')])).rejects.toMatchObject({ code: 'store_write' });
    const controller = new AbortController();
    const aborted = repository.append('c', [userMessage('b')], { signal: controller.signal });
    const other = repository.append('c', [userMessage('c')]);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
    await expect(other).resolves.toMatchObject({ sequence: expect.any(Number) });
  });
});

describe('the schema as a script', () => {
  it.each<SqlDialect>(['postgres', 'mysql', 'sqlite', 'sqlserver', 'oracle'])(
    'is statements without values: %s',
    (dialect) => {
      const statements = jdbcSchema(dialect, { tablePrefix: 'p', schema: 's' });
      expect(statements.length).toBeGreaterThanOrEqual(4);
      for (const statement of statements) expect(statement).not.toContain('?');
      for (const table of ['p_conversation', 'p_message', 'p_version']) expect(statements.join()).toContain(table);
    },
  );
});

describe('options', () => {
  const client = new Database(':memory:');
  it.each([
    [{}, 'client'],
    [{ client, url: 'sqlite::memory:' }, 'client'],
    [{ client: {} }, 'client'],
    [{ client, initializeSchema: 'create' }, 'initializeSchema'],
    [{ client, pageSize: 0 }, 'pageSize'],
    [{ client, tableprefix: 'x' }, 'tableprefix'],
    [{ client, schemaScript: [] }, 'schemaScript'],
    [{ client, tablePrefix: 'a\0b' }, 'tablePrefix'],
  ])('that cannot be are refused: %#', (options, subject) => {
    expect(() => new JdbcChatMemoryRepository(options as { client: typeof client })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });
});

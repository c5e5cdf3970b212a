import { document } from '@vernal/core';
import { filter } from '@vernal/vector-store';
import { afterAll, describe, expect, it } from 'vitest';
import { numbersModel } from './numbers-model.js';
import { failure, Scratch } from './scratch.js';
import { serverPool } from './server.js';

const { pool, reason } = serverPool(8);
afterAll(() => pool?.end());

describe.skipIf(pool === undefined)(`the table of PgVectorStore ${reason ?? ''}`, () => {
  const scratch = (): Scratch => {
    if (pool === undefined) throw new Error(reason);
    return new Scratch(pool);
  };
  const ids = async (store: ReturnType<Scratch['store']>): Promise<string[]> =>
    (await store.similaritySearch({ query: '1 0 0', topK: 100 })).map(({ id }) => id).toSorted();

  it.each(['"; DROP TABLE x; --', "it's", 'a"b', 'SELECT', 'with space', 'ünï', 'a.b', '$1', '$?', '\\', '%', "E'x'"])(
    'takes the name %s',
    async (name) => {
      await using place = scratch();
      const schema = `${place.schema} ${name}`;
      await using _gone = {
        [Symbol.asyncDispose]: async () => {
          await place.pool.query(`DROP SCHEMA IF EXISTS "${schema.replaceAll('"', '""')}" CASCADE`);
        },
      };
      const store = place.store({ schema, table: name, index: `${name} i` });
      await store.add([document({ id: 'a', text: '1 0 0' })]);
      expect(await ids(store)).toEqual(['a']);
      expect(await store.delete(['a'])).toEqual({ deleted: 1 });
      const made = await place.rows<{ schema: string; table: string; index: string }>(
        'SELECT schemaname AS schema, tablename AS table, indexname AS index FROM pg_indexes WHERE schemaname = $1',
        [schema],
      );
      expect(made.every((one) => one.table === name)).toBe(true);
      expect(made.map((one) => one.index)).toContain(`${name} i`);
    },
  );

  it('refuses names that PostgreSQL cannot keep, and shortens those that it makes itself', async () => {
    await using place = scratch();
    for (const [option, name] of [
      ['table', ''],
      ['table', 'x'.repeat(64)],
      ['schema', 'a\0b'],
      ['index', 'ü'.repeat(32)],
      ['table', 'half \ud83d'],
      ['textSearchConfig', ''],
    ] as const)
      expect(() => place.store({ [option]: name })).toThrowError(expect.objectContaining({ subject: option }));
    const long = 'x'.repeat(62);
    await place.store({ table: `${long}1` }).initialize();
    await place.store({ table: `${long}2` }).initialize();
    const made = await place.rows<{ name: string }>('SELECT indexname AS name FROM pg_indexes WHERE schemaname = $1', [
      place.schema,
    ]);
    expect(made).toHaveLength(6);
  });

  it('is made once by stores that begin at once, in a schema that nobody had', async () => {
    await using place = scratch();
    const stores = Array.from({ length: 6 }, (_, index) => place.store({ table: `t${index % 2}` }));
    await Promise.all(stores.map((store, index) => store.add([document({ id: `${index}`, text: '1 0 0' })])));
    expect(await ids(stores[0] ?? place.store())).toEqual(['0', '2', '4']);
    expect(await ids(stores[1] ?? place.store())).toEqual(['1', '3', '5']);
  });

  it('is made by the first operation, and again by the next when that failed', async () => {
    await using place = scratch();
    let asked = 0;
    const model = numbersModel();
    const embeddingModel = {
      ...model,
      dimensions: async () => {
        if (++asked === 1) throw new Error('the model is away');
        return 3;
      },
    };
    const store = place.store({ embeddingModel });
    await expect(store.similaritySearch('1 0 0')).rejects.toThrow('the model is away');
    expect(await store.similaritySearch('1 0 0')).toEqual([]);
    await store.initialize();
    expect(asked).toBe(2);
  });

  it('is dropped first with removeExistingTable, and only then', async () => {
    await using place = scratch();
    await place.store().add([document({ id: 'a', text: '1 0 0' })]);
    expect(await ids(place.store())).toEqual(['a']);
    expect(await ids(place.store({ removeExistingTable: true }))).toEqual([]);
    expect(() => place.store({ removeExistingTable: true, initializeSchema: 'validate' })).toThrow(
      'removeExistingTable',
    );
  });

  it("is not touched with 'none': an absent one is a typed error that names the fix", async () => {
    await using place = scratch();
    const store = place.store({ initializeSchema: 'none' });
    const error = await failure(store.add([document({ id: 'a', text: '1 0 0' })]));
    expect(error).toMatchObject({ code: 'store_write', subject: 'table', details: { sqlstate: '42P01' } });
    expect(error['message']).toContain("initializeSchema to 'create'");
    expect(await failure(store.similaritySearch('1 0 0'))).toMatchObject({ code: 'store_read' });
    expect(await failure(store.delete(['a']))).toMatchObject({ code: 'store_write' });
  });

  it.each<[string, string, readonly string[]]>([
    ['an absent table', 'SELECT 1', ['it does not exist']],
    [
      'other columns',
      'CREATE TABLE PLACE.vector_store (id uuid PRIMARY KEY, content text, embedding vector(3))',
      ["the column id is uuid, not text or varchar (idType 'uuid' would fit)", 'the column metadata is missing'],
    ],
    [
      'other types',
      'CREATE TABLE PLACE.vector_store (id text, content bytea, metadata text, embedding halfvec(3))',
      [
        'the column id is not unique',
        'the column content is bytea, not text or varchar',
        'the column metadata is text, not jsonb or json',
        'the column embedding is halfvec, not vector',
      ],
    ],
    [
      'other dimensions',
      'CREATE TABLE PLACE.vector_store (id text PRIMARY KEY, content text, metadata jsonb, embedding vector(4))',
      ['its vectors have 4 dimensions, those of the model 3'],
    ],
  ])("is looked at with 'validate': %s", async (_, made, faults) => {
    await using place = scratch();
    await place.make(made);
    const store = place.store({ initializeSchema: 'validate' });
    const error = await failure(store.initialize());
    expect(error).toMatchObject({ code: 'store_read', subject: 'table', details: { faults } });
    for (const fault of faults) expect(error['message']).toContain(fault);
  });

  it("may have more columns, a free dimension and varchar: 'validate' has nothing against it", async () => {
    await using place = scratch();
    await place.make(
      'CREATE TABLE PLACE.vector_store (id varchar(40) UNIQUE, content varchar, metadata jsonb, embedding vector, more int)',
    );
    const store = place.store({ initializeSchema: 'validate' });
    await store.add([document({ id: 'a', text: '1 0 0' })]);
    expect(await ids(store)).toEqual(['a']);
  });

  it('keeps its hands off an index that has the name already', async () => {
    await using place = scratch();
    await place.make('CREATE TABLE PLACE.other (n int)', 'CREATE INDEX mine ON PLACE.other (n)');
    const error = await failure(place.store({ index: 'mine' }).initialize());
    expect(error).toMatchObject({ code: 'invalid_argument', subject: 'index', details: { taken: ['mine'] } });
    expect(await place.rows("SELECT FROM pg_tables WHERE schemaname = 'PLACE' AND tablename = 'vector_store'")).toEqual(
      [],
    );
  });

  it('says so when the extension is not there, and makes it when it may', async () => {
    const name = `vernal_bare_${process.pid}`;
    const admin = scratch().pool;
    await admin.query(`CREATE DATABASE ${name}`);
    const bare = serverPool(4, { database: name }).pool ?? admin;
    try {
      const place = new Scratch(bare);
      const none = place.store({ schema: 'public', initializeSchema: 'validate' });
      expect(await failure(none.initialize())).toMatchObject({
        details: { faults: ['the extension vector is missing', 'it does not exist'] },
      });
      const stores = Array.from({ length: 4 }, (_, index) => place.store({ schema: `s${index}` }));
      await Promise.all(stores.map((store) => store.initialize()));
      await none.initialize().catch(() => undefined);
      expect((await bare.query("SELECT FROM pg_extension WHERE extname = 'vector'")).rows).toHaveLength(1);
    } finally {
      await bare.end();
      await admin.query(`DROP DATABASE ${name}`);
    }
  });

  it('needs no rights on the database when the schema is there', async () => {
    await using place = scratch();
    const role = `owner_${process.pid}`;
    await place.make(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`, `GRANT CREATE, USAGE ON SCHEMA PLACE TO ${role}`);
    const owner = serverPool(2, { user: role }).pool ?? place.pool;
    try {
      const store = place.store({ pool: owner });
      await store.add([document({ id: 'a', text: '1 0 0' })]);
      expect(await ids(store)).toEqual(['a']);
      const error = await failure(place.store({ pool: owner, schema: `${place.schema}_b` }).initialize());
      expect(error).toMatchObject({ code: 'store_write', details: { sqlstate: '42501' } });
    } finally {
      await owner.end();
      await place.pool.query(`DROP OWNED BY ${role} CASCADE`);
      await place.pool.query(`DROP ROLE ${role}`);
    }
  });

  it('may be one that Spring AI made: json metadata, uuid ids', async () => {
    await using place = scratch();
    await place.make(
      `CREATE TABLE PLACE.vector_store (id uuid DEFAULT gen_random_uuid() PRIMARY KEY, content text, metadata json, embedding vector(3))`,
      'CREATE INDEX spring_ai_vector_index ON PLACE.vector_store USING HNSW (embedding vector_cosine_ops)',
      `INSERT INTO PLACE.vector_store (content, metadata, embedding) VALUES
         ('from Java', '{"lang": "de",  "year": 2024, "tags": ["a", "b"]}', '[1,0,0]'), ('bare', NULL, '[0,1,0]'),
         ('broken', '{}', '[0,0,0]'), ('no vector', '{}', NULL)`,
    );
    const store = place.store({ idType: 'uuid', initializeSchema: 'create' });
    const id = '01234567-89ab-4cde-8f01-23456789abcd';
    await store.add([document({ id, text: '1 0.1 0', metadata: {} })]);
    const [first, second, ...rest] = await store.similaritySearch({ query: '1 0 0' });
    expect(first).toMatchObject({
      text: 'from Java',
      metadata: { lang: 'de', year: 2024, tags: ['a', 'b'] },
      score: 1,
    });
    expect(second?.id).toBe(id);
    expect(rest).toMatchObject([{ text: 'bare', metadata: { distance: 1 }, score: 0 }]);
    const texts = async (filterExpression: ReturnType<typeof filter.eq>): Promise<unknown[]> =>
      (await store.similaritySearch({ query: '1 0 0', topK: 9, filterExpression })).map(({ text }) => text);
    expect(await texts(filter.eq('tags', 'b'))).toEqual(['from Java']);
    expect(await texts(filter.gt('year', 2023))).toEqual(['from Java']);
    expect(await texts(filter.ne('lang', 'de'))).toEqual(['1 0.1 0', 'bare']);
    expect(await texts(filter.isNull('lang'))).toEqual(['1 0.1 0', 'bare']);
    expect(await store.delete({ filter: filter.eq('lang', 'de') })).toEqual({ deleted: 1 });
  });

  it('refuses dimensions that no index takes, and takes them without one', async () => {
    await using place = scratch();
    const embeddingModel = numbersModel(2001);
    expect(await failure(place.store({ embeddingModel }).initialize())).toMatchObject({
      code: 'invalid_argument',
      subject: 'dimensions',
      message: expect.stringContaining("vectorType 'halfvec'"),
    });
    for (const options of [{ indexType: 'none' }, { vectorType: 'halfvec' }] as const) {
      const store = place.store({ embeddingModel, table: Object.values(options).join(), ...options });
      await store.add([document({ id: 'a', text: 'words' })]);
      expect((await store.similaritySearch('words'))[0]).toMatchObject({ id: 'a', score: 1 });
    }
  });
});

import { document, type EmbeddingModel } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import { SqliteVectorStore, type SqliteVectorStoreOptions } from '@vernal/vector-store-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DRIVER, open, openWithVectors, type TestDatabase } from './drivers.js';

const embeddingModel = hashingEmbeddingModel({ dimensions: 8 });
const doc = (id: string, text = `text of ${id}`) => document({ id, text });

/** Gives the vectors that it was handed, by text. */
function given(vectors: Readonly<Record<string, readonly number[]>>): EmbeddingModel {
  return { ...embeddingModel, embed: async (texts) => texts.map((text) => Float32Array.from(vectors[text] ?? [])) };
}

describe(`SqliteVectorStore on ${DRIVER}`, () => {
  let database: TestDatabase;
  beforeEach(() => {
    database = openWithVectors();
  });
  afterEach(() => void database.close());
  const storeWith = (more: Partial<SqliteVectorStoreOptions> = {}): SqliteVectorStore =>
    new SqliteVectorStore({ database, embeddingModel, initializeSchema: 'create', ...more });

  it('takes tables and schemas of any name', async () => {
    database.exec(`ATTACH ':memory:' AS "a b"`);
    for (const table of ['select', 'a "b"', "it's", '; DROP TABLE x; --', 'größe', '表', '?', '%s', "a' || 'b"]) {
      const store = storeWith({ schema: 'a b', table, keywordSearch: true });
      await store.add([doc('a', 'red roses')]);
      await store.add([doc('a', 'blue violets'), doc('b', 'green grass')]);
      await store.delete(['b']);
      const found = await store.similaritySearch({ query: 'violets', mode: 'keyword' });
      expect(found.map(({ id }) => id)).toEqual(['a']);
      expect(await store.similaritySearch({ query: 'roses grass', mode: 'keyword' })).toEqual([]);
    }
    expect(database.prepare('SELECT name FROM main.sqlite_master').all()).toEqual([]);
  });

  it('refuses names that SQLite cannot keep, and options out of range', () => {
    for (const [subject, options] of [
      ['table', { table: '' }],
      ['table', { table: 'a\0b' }],
      ['table', { table: '\ud800' }],
      ['table', { table: 'sqlite_x' }],
      ['schema', { schema: '' }],
      ['maxBatch', { maxBatch: 0 }],
      ['dimensions', { dimensions: 1.5 }],
      ['metric', { metric: 'l1' as 'dot' }],
      ['initializeSchema', { initializeSchema: 'drop' as 'create' }],
      ['removeExistingTable', { removeExistingTable: true, initializeSchema: 'none' as const }],
      ['keywordSearch', { keywordSearch: ' ' }],
      ['database', { database: {} as TestDatabase }],
    ] as const)
      expect(() => storeWith(options)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });

  it('makes the tables once, also when two begin at the same time', async () => {
    const stores = [storeWith(), storeWith(), storeWith()];
    await Promise.all(stores.map((store, index) => store.add([doc(`d${index}`)])));
    expect(await stores[0]?.similaritySearch({ query: 'text', topK: 9 })).toHaveLength(3);
    await storeWith({ removeExistingTable: true }).initialize();
    expect(await storeWith().similaritySearch('text')).toEqual([]);
  });

  it('needs dimensions to make tables without a model', async () => {
    const store = storeWith({ embeddingModel: undefined });
    await expect(store.initialize()).rejects.toMatchObject({ code: 'invalid_argument', subject: 'dimensions' });
    const other = storeWith({ embeddingModel: undefined, dimensions: 8 });
    expect(await other.similaritySearch({ query: '', vector: new Float32Array(8).fill(1) })).toEqual([]);
  });

  it('validates tables: missing, with other columns, of other dimensions', async () => {
    const validating = (more = {}) => storeWith({ initializeSchema: 'validate', ...more }).initialize();
    const fault = (text: RegExp) => ({ code: 'store_read', subject: 'table', message: expect.stringMatching(text) });
    await expect(validating()).rejects.toMatchObject(fault(/vector_store does not exist.*vectors does not exist/));
    database.exec('CREATE TABLE odd (id TEXT, content TEXT); CREATE TABLE odd_vectors ("row" INTEGER PRIMARY KEY)');
    await expect(validating({ table: 'odd' })).rejects.toMatchObject(
      fault(/row of odd .*metadata of odd .*embedding of odd_vectors/),
    );
    await storeWith().initialize();
    await validating();
    await expect(validating({ dimensions: 9 })).rejects.toMatchObject(fault(/8 dimensions, those of the model 9/));
    await expect(validating({ keywordSearch: true })).rejects.toMatchObject(fault(/keywordSearch/));
    await expect(storeWith({ initializeSchema: 'none', table: 'none' }).add([doc('a')])).rejects.toMatchObject({
      code: 'store_write',
      subject: 'table',
    });
  });

  it('refuses a database in UTF-16, in which texts have another order', async () => {
    const wide = openWithVectors();
    wide.exec("PRAGMA encoding = 'UTF-16'");
    await expect(storeWith({ database: wide }).initialize()).rejects.toMatchObject({
      subject: 'table',
      message: expect.stringContaining('UTF-16'),
    });
    wide.close();
  });

  it('refuses vectors of other dimensions, in documents and in queries', async () => {
    await storeWith().add([doc('a')]);
    const other = storeWith({ embeddingModel: hashingEmbeddingModel({ dimensions: 9 }), initializeSchema: 'none' });
    const subject = 'dimensions';
    await expect(other.add([doc('b')])).rejects.toMatchObject({ code: 'store_write', subject });
    await expect(other.similaritySearch('text')).rejects.toMatchObject({ code: 'store_read', subject });
    expect(await storeWith().similaritySearch({ query: 'text', topK: 9 })).toHaveLength(1);
  });

  it('says that sqlite-vec is missing, when the tables are made and later', async () => {
    const bare = open();
    const missing = { subject: 'database', message: expect.stringContaining('sqlite-vec') };
    await expect(storeWith({ database: bare }).initialize()).rejects.toMatchObject(missing);
    await expect(storeWith({ database: bare, initializeSchema: 'none' }).similaritySearch('x')).rejects.toMatchObject(
      missing,
    );
    bare.close();
  });

  it('keeps directions under cosine, however short or long, and refuses zeros', async () => {
    const vectors = { tiny: [1e-30, 0], huge: [0, 1e30], plain: [3, 4], zero: [0, 0], least: [1e-45, 0] };
    const model = { ...given(vectors), dimensions: async () => 2 };
    const store = storeWith({ embeddingModel: model });
    await store.add([doc('tiny', 'tiny'), doc('huge', 'huge'), doc('plain', 'plain'), doc('least', 'least')]);
    await expect(store.add([doc('zero', 'zero')])).rejects.toMatchObject({ code: 'embedding', failedIds: ['zero'] });
    const scores = async (query: string) =>
      (await store.similaritySearch({ query, topK: 9 })).map(({ id, score }) => [id, score]);
    expect(await scores('tiny')).toEqual([
      ['tiny', 1],
      ['least', 1],
      ['plain', 0.6],
      ['huge', 0],
    ]);
    expect(await scores('huge')).toEqual([
      ['huge', 1],
      ['plain', 0.8],
      ['tiny', 0],
      ['least', 0],
    ]);
    expect(await scores('zero')).toEqual([]);
  });

  it('measures the inner product, which sqlite-vec does not', async () => {
    const vectors = { a: [3, 4], b: [-1, 2], zero: [0, 0], query: [2, -1] };
    const store = storeWith({ embeddingModel: { ...given(vectors), dimensions: async () => 2 }, metric: 'dot' });
    await store.add([doc('a', 'a'), doc('b', 'b'), doc('zero', 'zero')]);
    const scores = async (query: string) =>
      (await store.similaritySearch({ query, topK: 9 })).map(({ id, score }) => [id, score]);
    expect(await scores('query')).toEqual([
      ['a', 2],
      ['zero', 0],
      ['b', -4],
    ]);
    expect(await scores('zero')).toEqual([
      ['a', 0],
      ['b', 0],
      ['zero', 0],
    ]);
  });

  it('reads whole numbers as the connection gives them, BigInt too', async () => {
    const give: unknown = Reflect.get(database, 'defaultSafeIntegers');
    if (typeof give === 'function') give.call(database, true);
    const zeros = { ...given({ a: [0, 0], q: [1, 1] }), dimensions: async () => 2 };
    const store = storeWith({ embeddingModel: zeros, metric: 'dot' });
    await store.add([doc('a', 'a')]);
    const [found] = await store.similaritySearch('q');
    expect([found?.score, found?.metadata['distance']]).toEqual([0, 0]);
    expect(await store.delete(['a'])).toEqual({ deleted: 1 });
  });

  it('finds words by FTS5, in queries of any text, and joins both lists', async () => {
    const store = storeWith({ keywordSearch: 'porter unicode61' });
    await store.add([doc('dogs', 'The dogs barked.'), doc('cats', 'A cat slept.'), doc('both', 'Cats and dogs.')]);
    const ids = async (query: string, mode: 'keyword' | 'hybrid' = 'keyword') =>
      (await store.similaritySearch({ query, mode, topK: 9 })).map(({ id }) => id);
    expect((await ids('dog')).sort()).toEqual(['both', 'dogs']);
    for (const query of ['"', 'AND', 'NEAR(cat', 'content:dogs', 'cat*', "'; --", '-', '^dogs', 'a\0b'])
      expect(Array.isArray(await ids(query))).toBe(true);
    expect(await ids('!?')).toEqual([]);
    expect((await ids('cats', 'hybrid')).sort()).toEqual(['both', 'cats', 'dogs']);
    const [best] = await store.similaritySearch({ query: 'Cats and dogs.', mode: 'hybrid' });
    expect([best?.id, best?.score]).toEqual(['both', 1]);
  });

  it('finds words in scripts without spaces by trigrams', async () => {
    const store = storeWith({ keywordSearch: 'trigram' });
    await store.add([doc('zh', '向量数据库保存文档'), doc('ja', 'ベクトルを検索する'), doc('en', 'nothing of it')]);
    const found = await store.similaritySearch({ query: '什么是向量数据库', mode: 'keyword' });
    expect(found.map(({ id }) => id)).toEqual(['zh']);
  });

  it('indexes the words of a table that is there already', async () => {
    await storeWith().add([doc('a', 'red roses')]);
    const found = await storeWith({ keywordSearch: true }).similaritySearch({ query: 'roses', mode: 'keyword' });
    expect(found.map(({ id }) => id)).toEqual(['a']);
    await expect(storeWith({ keywordSearch: 'trigram' }).initialize()).rejects.toMatchObject({
      subject: 'table',
      message: expect.stringContaining('tokenizer'),
    });
    await expect(storeWith({ keywordSearch: 'no such', table: 'other' }).initialize()).rejects.toMatchObject({
      subject: 'keywordSearch',
    });
  });

  it('brings back U+0000 and half surrogates in ids, texts, keys and values', async () => {
    const odd = 'a\0b\ud800c\udc00d\u{F0000}0;e';
    const store = storeWith();
    await store.add([document({ id: odd, text: odd, metadata: { [odd]: [odd, { [odd]: odd }] } })]);
    const [found] = await store.similaritySearch({ query: odd });
    expect([found?.id, found?.text, found?.metadata[odd]]).toEqual([odd, odd, [odd, { [odd]: odd }]]);
    expect(await store.delete([odd])).toEqual({ deleted: 1 });
  });

  it('counts what it deletes, and leaves no vector behind', async () => {
    const store = storeWith({ keywordSearch: true });
    await store.add(
      Array.from({ length: 2_500 }, (_, index) => document({ id: `d${index}`, text: 'x', metadata: { index } })),
    );
    expect(await store.delete(['d0', 'none', 'd1'])).toEqual({ deleted: 2 });
    expect(await store.delete({ filter: 'index < 2000' })).toEqual({ deleted: 1_998 });
    expect(database.prepare('SELECT count(*) AS n FROM vector_store_vectors').all()).toEqual([
      expect.objectContaining({ n: 500 }),
    ]);
  });

  it('lets other work run between the parts of a large add', async () => {
    let turns = 0;
    const store = storeWith({ maxBatch: 10 });
    await store.initialize();
    const tick = (): void => {
      turns++;
      if (turns < 1_000) handle = setImmediate(tick);
    };
    let handle = setImmediate(tick);
    await store.add(Array.from({ length: 100 }, (_, index) => doc(`d${index}`)));
    clearImmediate(handle);
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});

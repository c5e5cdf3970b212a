import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { document, type Metadata } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import { SqliteVectorStore, type SqliteVectorStoreOptions } from '@vernal/vector-store-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../scripts/bundle-program.mjs';
import { DRIVER, openWithVectors, type TestDatabase } from './drivers.js';
import { KILLED_AFTER } from './killed-after.js';

const embeddingModel = hashingEmbeddingModel({ dimensions: 8 });
const doc = (id: string, metadata: Metadata = {}) => document({ id, text: `text of ${id}`, metadata });

/** Refuses a document in the middle of a batch. */
function refuseBad(database: TestDatabase, table: string = 'vector_store'): void {
  database.exec(
    `CREATE TRIGGER "no bad ${table}" BEFORE INSERT ON "${table}" WHEN new.content = 'text of bad' BEGIN SELECT RAISE(ABORT, 'bad'); END`,
  );
}

describe(`transactions on ${DRIVER}`, () => {
  let folder: string;
  let opened: TestDatabase[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vernal-sqlite-'));
    opened = [];
  });
  afterEach(() => {
    for (const database of opened) database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (): TestDatabase => {
    const database = openWithVectors(join(folder, 'documents.db'));
    opened.push(database);
    return database;
  };
  const storeOn = (database: TestDatabase, more: Partial<SqliteVectorStoreOptions> = {}): SqliteVectorStore =>
    new SqliteVectorStore({ database, embeddingModel, initializeSchema: 'create', ...more });
  const idsIn = async (store: SqliteVectorStore): Promise<string[]> =>
    (await store.similaritySearch({ query: 'text', topK: 10_000 })).map(({ id }) => id).sort();

  it('keep a batch all or nothing', async () => {
    const database = open();
    const store = storeOn(database, { maxBatch: 3 });
    await store.add([doc('a')]);
    refuseBad(database);
    const batch = [doc('a', { changed: true }), doc('b'), doc('bad'), doc('d')];
    await expect(store.add(batch)).rejects.toMatchObject({
      code: 'store_write',
      retryable: false,
      details: { sqlite: 'SQLITE_CONSTRAINT' },
    });
    const [only, ...others] = await store.similaritySearch({ query: 'text' });
    expect([only?.id, only?.metadata['changed'], others]).toEqual(['a', undefined, []]);
    const parts = [doc('e'), doc('f'), doc('g'), doc('h'), doc('bad')];
    await expect(store.add(parts)).rejects.toMatchObject({ failedIds: ['h', 'bad'] });
    expect(await idsIn(store)).toEqual(['a', 'e', 'f', 'g']);
  });

  it('are a step of the one that the caller has open', async () => {
    const database = open();
    const store = storeOn(database);
    await store.add([doc('before')]);
    refuseBad(database);
    database.exec('CREATE TABLE own (n)');
    database.exec('BEGIN');
    database.exec('INSERT INTO own VALUES (1)');
    await store.add([doc('inside')]);
    await expect(store.add([doc('fails'), doc('bad')])).rejects.toMatchObject({ code: 'store_write' });
    await store.delete(['before']);
    expect(await idsIn(store)).toEqual(['inside']);
    expect(database.prepare('SELECT n FROM own').all()).toHaveLength(1);
    database.exec('ROLLBACK');
    expect(await idsIn(store)).toEqual(['before']);
    expect(database.prepare('SELECT n FROM own').all()).toHaveLength(0);
  });

  it('of many callers on one connection do not mix', async () => {
    const database = open();
    const stores = ['one', 'two'].map((table) => storeOn(database, { table, maxBatch: 2 }));
    await Promise.all(stores.map((store) => store.initialize()));
    for (const table of ['one', 'two']) refuseBad(database, table);
    const adds = Array.from({ length: 20 }, (_, index) =>
      (stores[index % 2] as SqliteVectorStore).add([doc(`a${index}`), doc(index % 5 === 0 ? 'bad' : `b${index}`)]),
    );
    const results = await Promise.allSettled(adds);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    const found = await Promise.all(stores.map(idsIn));
    expect(found.map((ids) => ids.length)).toEqual([16, 16]);
  });

  it('survive closing and opening the file, vectors and words too', async () => {
    const first = open();
    await storeOn(first, { keywordSearch: true }).add([doc('a', { n: 1 }), doc('b', { n: 2 })]);
    opened.splice(0);
    first.close();
    const store = storeOn(open(), { keywordSearch: true, initializeSchema: 'validate' });
    const found = await store.similaritySearch({ query: 'text of b', mode: 'hybrid', filterExpression: 'n == 2' });
    expect(found.map(({ id, text }) => [id, text])).toEqual([['b', 'text of b']]);
  });

  it('of one connection are seen by another', async () => {
    const [one, two] = [open(), open()];
    one.prepare('PRAGMA journal_mode = WAL').all();
    const [writer, reader] = [storeOn(one), storeOn(two)];
    await writer.add([doc('a'), doc('b')]);
    expect(await idsIn(reader)).toEqual(['a', 'b']);
    await reader.delete(['a']);
    expect(await idsIn(writer)).toEqual(['b']);
  });

  it('that find the file locked are errors that may be tried again', async () => {
    const [one, two] = [open(), open()];
    two.exec('PRAGMA busy_timeout = 0');
    const store = storeOn(two);
    await store.add([doc('a')]);
    one.exec('BEGIN IMMEDIATE');
    const busy = { code: 'store_write', retryable: true, details: { sqlite: 'SQLITE_BUSY' } };
    await expect(store.add([doc('b')])).rejects.toMatchObject(busy);
    await expect(store.delete(['a'])).rejects.toMatchObject(busy);
    one.exec('COMMIT');
    await store.add([doc('b')]);
    expect(await idsIn(store)).toEqual(['a', 'b']);
  });

  it('stop between batches when the signal does', async () => {
    const store = storeOn(open(), { maxBatch: 2 });
    const controller = new AbortController();
    const running = store.write(
      (function* () {
        for (let index = 0; index < 6; index++) {
          if (index === 4) controller.abort();
          yield doc(`d${index}`);
        }
      })(),
      { signal: controller.signal },
    );
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    expect(await idsIn(store)).toEqual(['d0', 'd1', 'd2', 'd3']);
  });

  it.each(['DELETE', 'WAL'])('leave nothing of a batch when the process is killed in the middle (%s)', async (mode) => {
    const path = join(folder, 'documents.db');
    const script = await bundleProgram(fileURLToPath(new URL('./killed-add.entry.ts', import.meta.url)));
    const { signal, stderr } = spawnSync(process.execPath, [script, path, mode], { encoding: 'utf8' });
    expect([signal, stderr.replaceAll(/\(.*|.*ExperimentalWarning.*/g, '').trim()]).toEqual(['SIGKILL', '']);
    const database = open();
    const store = storeOn(database, { initializeSchema: 'validate' });
    expect(await idsIn(store)).toEqual(['kept']);
    const [check] = database.prepare('PRAGMA integrity_check').all();
    expect(check).toEqual(expect.objectContaining({ integrity_check: 'ok' }));
    await store.add(Array.from({ length: KILLED_AFTER * 2 }, (_, index) => doc(`d${index}`)));
    expect(await idsIn(store)).toHaveLength(KILLED_AFTER * 2 + 1);
  });

  it('leave the connection open when the store is closed', async () => {
    const database = open();
    const store = storeOn(database);
    await store.add([doc('a')]);
    await store.close();
    await expect(store.add([doc('b')])).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await idsIn(storeOn(database))).toEqual(['a']);
  });
});

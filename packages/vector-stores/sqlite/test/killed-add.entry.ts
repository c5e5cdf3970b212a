import { document } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import { type SqliteDatabase, SqliteVectorStore } from '@vernal/vector-store-sqlite';
import { openWithVectors } from './drivers.js';
import { KILLED_AFTER } from './killed-after.js';

const [, , path = '', mode = ''] = process.argv;
const real = openWithVectors(path);
real.prepare(`PRAGMA journal_mode = ${mode}`).all();
// A cache of ten pages: the transaction is in the file long before it is committed.
real.exec('PRAGMA cache_size = 10');

let written = 0;
/** Ends the process in the middle of a statement's run, as a power cut would. */
const killing: SqliteDatabase = {
  exec: (sql) => real.exec(sql),
  prepare(sql) {
    const statement = real.prepare(sql);
    return {
      all: (...values) => statement.all(...values),
      run(...values) {
        written++;
        if (written === KILLED_AFTER) process.kill(process.pid, 'SIGKILL');
        return statement.run(...values);
      },
    };
  },
};

const options = { embeddingModel: hashingEmbeddingModel({ dimensions: 8 }), initializeSchema: 'create' } as const;
await new SqliteVectorStore({ ...options, database: real }).add([document({ id: 'kept', text: 'kept' })]);
await new SqliteVectorStore({ ...options, database: killing, maxBatch: 10_000 }).add(
  Array.from({ length: KILLED_AFTER * 2 }, (_, index) => document({ id: `d${index}`, text: 'word '.repeat(100) })),
);

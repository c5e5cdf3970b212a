import { BatchError, document } from '@vernal/core';
import { expect, it } from 'vitest';
import { describeOnServer } from './server.js';

describeOnServer('writing', (server) => {
  const { client } = server;

  it('keeps when a key expires and what else is in its hash, and takes away fields that are no more', async () => {
    const index = server.name();
    const store = server.store({
      index,
      metadataFields: [
        { name: 'year', type: 'numeric' },
        { name: 'kind', type: 'tag' },
        { name: 'a-b', type: 'text' },
      ],
    });
    await store.add([document({ id: 'a', text: 'x', metadata: { year: 2020, kind: ['x', 'y'], 'a-b': 'Größe, 2' } })]);
    const key = `${index}:a`;
    expect(await client.hmget(key, 'm_year', 'm_kind', 'm_a_2d_b')).toEqual(['2020', 'x\u001fy', 'größe 2']);
    await client.expire(key, 1000);
    await client.hset(key, 'own', 'of another');
    await store.add([document({ id: 'a', text: 'x', metadata: { year: 'none', kind: 'z' } })]);
    expect(await client.hmget(key, 'm_year', 'm_kind', 'm_a_2d_b', 'own')).toEqual([null, 'z', null, 'of another']);
    expect(await client.ttl(key)).toBeGreaterThan(900);
    const found = await store.similaritySearch({ query: 'x', filterExpression: 'year >= 0' });
    expect(found).toEqual([]);
  });

  it('brings back texts and ids that UTF-8 cannot hold', async () => {
    const store = server.store();
    const odd = ['half \ud800 one', 'half \udfff', 'mark \u{F0000}d800;', 'nul \u0000 in', '\ufeffbom', 'é', 'e\u0301'];
    await store.add(odd.map((text) => document({ id: text, text, metadata: { text } })));
    const found = await store.similaritySearch({ query: 'x', topK: 100 });
    expect(found.map(({ id, text, metadata }) => [id, text, metadata['text']]).sort()).toEqual(
      odd.map((text) => [text, text, text]).sort(),
    );
    expect(await store.delete(odd)).toEqual({ deleted: odd.length });
  });

  it('names the documents whose keys hold something else than a hash, and stores the others', async () => {
    const index = server.name();
    const store = server.store({ index });
    await client.set(`${index}:b`, 'text');
    const error = await store.add(['a', 'b', 'c'].map((id) => document({ id, text: id }))).catch((thrown) => thrown);
    expect(BatchError.is(error) && [error.code, error.subject, error.failedIds]).toEqual([
      'store_write',
      'prefix',
      ['b'],
    ]);
    expect((await store.similaritySearch('a')).map(({ id }) => id).sort()).toEqual(['a', 'c']);
    expect(await client.get(`${index}:b`)).toBe('text');
  });

  it('leaves hashes under the prefix alone that no store wrote', async () => {
    const index = server.name();
    const store = server.store({ index });
    await store.add([document({ id: 'a', text: 'x' })]);
    await client.hset(`${index}:foreign`, { words: 'x', metadata: 'no json', content: 'x' });
    await client.hset(`${index}:other`, { words: 'x' });
    expect((await store.similaritySearch({ query: 'x', mode: 'keyword' })).map(({ id }) => id)).toEqual(['a']);
    expect(await store.delete({ filter: 'kind IS NULL' })).toEqual({ deleted: 1 });
    expect(await client.exists(`${index}:foreign`, `${index}:other`)).toBe(2);
  });

  it('deletes by filter no document that was written anew meanwhile', async () => {
    const index = server.name();
    const other = server.store({ index });
    await other.add(['a', 'b'].map((id) => document({ id, text: id, metadata: { state: 'old' } })));
    const store = server.store({
      index,
      client: {
        async call(command, args) {
          // Between looking and deleting.
          if (command === 'EVAL') await other.add([document({ id: 'a', text: 'a', metadata: { state: 'new' } })]);
          return client.call(command, args);
        },
        callBuffer: (command, args) => client.callBuffer(command, args),
        multi: (commands) => client.multi(commands),
      },
    });
    expect(await store.delete({ filter: "state == 'old'" })).toEqual({ deleted: 1 });
    expect((await other.similaritySearch('x')).map(({ metadata }) => metadata['state'])).toEqual(['new']);
  });

  it('deletes by filter all that matches, wherever the engine ranks it while others go', async () => {
    const store = server.store({ algorithm: 'FLAT', maxBatch: 1000 });
    // The engine ranks what repeats a word below what does not, unless it was told otherwise.
    const documents = Array.from({ length: 3000 }, (_, n) =>
      document({ id: `d${n}`, text: n % 2 === 0 && n < 10 ? 'again and again' : `text ${n}`, metadata: { n } }),
    );
    await store.add(documents);
    expect(await store.delete({ filter: 'n < 10' })).toEqual({ deleted: 10 });
    expect(await store.delete({ filter: 'n >= 2990' })).toEqual({ deleted: 10 });
    expect(await store.similaritySearch({ query: 'x', topK: 3000 })).toHaveLength(2980);
  });

  it('deletes by filter all that matches while another deletes, too', async () => {
    const index = server.name();
    const other = server.store({ index, algorithm: 'FLAT', maxBatch: 1000 });
    await other.add(Array.from({ length: 2500 }, (_, n) => document({ id: `d${n}`, text: 'x', metadata: { n } })));
    let searches = 0;
    const store = server.store({
      index,
      algorithm: 'FLAT',
      client: {
        async call(command, args) {
          // What was looked at goes, and what was not moves up into its place.
          if (command === 'FT.SEARCH' && ++searches === 2)
            await other.delete(Array.from({ length: 800 }, (_, n) => `d${n}`));
          return client.call(command, args);
        },
        callBuffer: (command, args) => client.callBuffer(command, args),
        multi: (commands) => client.multi(commands),
      },
    });
    expect(await store.delete({ filter: 'n >= 1000' })).toEqual({ deleted: 1500 });
  });

  it('leaves the client open when the store is closed', async () => {
    const store = server.store();
    await store.add([document({ id: 'a', text: 'x' })]);
    await store.close();
    expect(await client.ping()).toBe('PONG');
    await expect(store.similaritySearch('x')).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

/** Passages in a hash of Redis: what several processes write to. */
export class RedisTarget {
  constructor(client, key) {
    this.client = client;
    this.key = key;
  }

  async write(documents) {
    for await (const { id, text, metadata } of documents)
      await this.client.hset(this.key, id, `${metadata.source}:${text}`);
  }

  async delete(ids) {
    if (ids.length > 0) await this.client.hdel(this.key, ...ids);
  }

  async texts() {
    return Object.values(await this.client.hgetall(this.key)).sort();
  }
}

/** A source whose passages are the words of its name: 'a-b-c' has three. */
export function wordSource(id, version = 'v1') {
  return {
    id,
    version: () => version,
    reader: {
      async *stream() {
        for (const [at, word] of id.split('-').entries())
          yield { id: `${at}`, text: `${word} ${version}`, metadata: { source: id } };
      },
    },
  };
}

// @vernal/memory-mongo, and the calls that it makes of a collection of the driver.
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { MongoClient } from 'mongodb';
import { listening } from './recorded-calls.mjs';

const METHODS = ['find', 'insertMany', 'updateOne', 'updateMany', 'deleteMany'];

export function mongoStore(url, name) {
  const client = new MongoClient(url);
  const collection = client.db(name).collection('memory');
  return {
    repository: new MongoChatMemoryRepository({ collection, initializeSchema: 'always' }),
    recording: (calls) => new MongoChatMemoryRepository({ collection: listening(collection, METHODS, calls) }),
    compiled: (call) => call,
    replay: ({ method, args }) =>
      method === 'find' ? collection.find(...args).toArray() : collection[method](...args),
    async drop() {
      try {
        await client.db(name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}

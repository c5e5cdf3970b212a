import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { describeMemoryRepository, vitestRunner } from '@vernal/testing/memory';
import { MongoClient } from 'mongodb';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { sentBy } from './counted-client.js';
import { appendInProcess } from './other-process.js';
import { uniqueName } from './server.js';

const found = engine('mongo');
if ('reason' in found) vitest.it.skip(`MongoChatMemoryRepository on a server: ${found.reason}`);
else {
  // A client may have numbers come as BSON's types, which must not make a difference.
  const client = new MongoClient(found.url, { promoteValues: false, monitorCommands: true });
  const databaseName = uniqueName();
  vitest.afterAll(async () => {
    await client.db(databaseName).dropDatabase();
    await client.close();
  });
  const sent = sentBy(client);
  describeMemoryRepository(
    'MongoChatMemoryRepository on a server',
    ({ namespace: collectionName }) => {
      const names = { databaseName, collectionName };
      const repository = new MongoChatMemoryRepository({ client, ...names, initializeSchema: 'always', pageSize: 50 });
      return {
        subject: repository,
        async close() {
          await repository.close();
          await client.db(databaseName).dropCollection(collectionName);
        },
      };
    },
    {
      runner: vitestRunner(vitest),
      onReport: keepReport,
      // FerretDB looks through all documents of a collection for each command.
      timeout: 240_000,
      commands() {
        const { names, returned } = sent();
        // Each read costs a document at least: that there is none was looked up as well.
        return names.length + Math.max(returned, names.filter((one) => one === 'find').length);
      },
      async tamper({ namespace, conversationId, sequence, message }) {
        const collection = client.db(databaseName).collection<{ _id: string }>(namespace);
        const filter = { conversationId, sequence, type: { $exists: true } };
        const { matchedCount } = await collection.updateOne(filter, { $set: { message } }, { promoteValues: true });
        vitest.expect(matchedCount).toBe(1);
      },
      otherProcess: ({ namespace: collectionName, ...turns }) =>
        appendInProcess({ ...turns, url: found.url, databaseName, collectionName }),
    },
  );
}

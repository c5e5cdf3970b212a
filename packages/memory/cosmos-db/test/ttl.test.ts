import { messageText, userMessage } from '@vernal/core';
import { expect, it } from 'vitest';
import { eachWithServer, idsOf } from './stage.js';

const stage = eachWithServer();
const HOUR = 3_600_000;
const texts = async (repository: ReturnType<typeof stage.repository>): Promise<string[]> =>
  (await repository.findByConversationId('c')).messages.map(messageText);

it('a conversation is gone after its time, and its messages are deleted by the service', async () => {
  const repository = stage.repository({ ttlMs: HOUR });
  await repository.append('c', [userMessage('a')]);
  stage.server.ahead = HOUR - 5000;
  expect(await texts(repository)).toEqual(['a']);
  stage.server.ahead = HOUR + 1000;
  expect(await texts(repository)).toEqual([]);
  expect(await idsOf(repository)).toEqual([]);
  expect(await repository.append('c', [userMessage('b')], { expectedSequence: 0 })).toEqual({ sequence: 1 });
  expect(await texts(repository)).toEqual(['b']);
  stage.server.ahead = 4 * HOUR;
  expect(await stage.items('c')).toEqual([]);
});

it('each append renews all of it, however old its first message is', async () => {
  const repository = stage.repository({ ttlMs: HOUR });
  await repository.append(
    'c',
    Array.from({ length: 130 }, (_, index) => userMessage(`many ${index}`)),
  );
  const said = 130;
  for (let turn = 1; turn <= 12; turn++) {
    stage.server.ahead += 0.9 * HOUR;
    await repository.append('c', [userMessage(`turn ${turn}`)]);
    expect(await texts(repository)).toHaveLength(said + turn);
  }
  stage.server.ahead += 1.1 * HOUR;
  expect(await texts(repository)).toEqual([]);
  stage.server.ahead += 2 * HOUR;
  expect(await stage.items('c')).toEqual([]);
});

it('most appends change no other message than their own', async () => {
  const repository = stage.repository({ ttlMs: 24 * HOUR });
  await repository.append('c', [userMessage('first')]);
  const patches: number[] = [];
  stage.server.intercept = ({ body }) => {
    if (body.includes('"Patch"')) patches.push(stage.server.ahead / HOUR);
    return undefined;
  };
  for (let turn = 0; turn < 47; turn++) {
    stage.server.ahead += HOUR;
    await repository.append('c', [userMessage(`turn ${turn}`)]);
  }
  expect(patches).toEqual([12, 24, 36]);
});

it('another time to live counts from the next write on, for all messages', async () => {
  await stage.repository().append('c', [userMessage('for ever')]);
  const short = stage.repository({ ttlMs: HOUR });
  await short.append('c', [userMessage('short')]);
  const long = stage.repository({ ttlMs: 100 * HOUR });
  await long.append('c', [userMessage('long')]);
  stage.server.ahead = 99 * HOUR;
  expect(await texts(long)).toEqual(['for ever', 'short', 'long']);
  // One that names no time leaves it as it is.
  await stage.repository().append('c', [userMessage('later')]);
  stage.server.ahead = 300 * HOUR;
  expect(await texts(long)).toEqual([]);
  stage.server.ahead = 500 * HOUR;
  expect(await stage.items('c')).toEqual([]);
});

it('a renewal that fails costs nobody the append, and is made up for by the next one', async () => {
  const repository = stage.repository({ ttlMs: HOUR });
  await repository.append('c', [userMessage('a')]);
  stage.server.ahead = 0.9 * HOUR;
  stage.server.intercept = ({ body }) => (body.includes('"Patch"') ? 'cut' : undefined);
  expect(await repository.append('c', [userMessage('b')])).toEqual({ sequence: 2 });
  stage.server.intercept = undefined;
  stage.server.ahead = 1.8 * HOUR;
  await repository.append('c', [userMessage('c')]);
  stage.server.ahead = 2.7 * HOUR;
  expect(await texts(repository)).toEqual(['a', 'b', 'c']);
});

import { messageText, systemMessage, userMessage } from '@vernal/core';
import { expect, it, vi } from 'vitest';
import type { Fault, SeenRequest } from './server/cosmos-server.js';
import { eachWithServer, idsOf } from './stage.js';

const stage = eachWithServer();
const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => userMessage(`${name} ${index}`));
const isCommit = ({ body }: SeenRequest): boolean => body.includes('"kind":"extent"') && body.includes('"Replace"');
const isBatch = ({ headers, body }: SeenRequest): boolean =>
  headers['x-ms-cosmos-is-batch-request'] !== undefined && !body.includes('"Read"');

/** The fault for the first request that is asked for. */
function once(
  is: (request: SeenRequest) => boolean,
  fault: () => Fault | undefined | Promise<Fault | undefined>,
): void {
  let isOver = false;
  stage.server.intercept = async (request) => {
    if (isOver || !is(request)) return undefined;
    isOver = true;
    return fault();
  };
}

it('a small append is one batch after one read, and so is the next', async () => {
  const repository = stage.repository();
  await repository.append('warm', [userMessage('up')]);
  for (const id of ['new', 'warm']) {
    const requests: string[] = [];
    stage.server.intercept = ({ method, path, body }) => {
      requests.push(`${method} ${path} ${body.match(/"operationType":"\w+"/g)?.join()}`);
      return undefined;
    };
    await repository.append(id, [userMessage('a'), userMessage('b')]);
    expect(requests).toHaveLength(2);
  }
});

it('a write of many is all there or not at all, wherever it was cut off, and the next one lands', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('first')]);
  for (let cutAt = 1; ; cutAt++) {
    let seen = 0;
    stage.server.intercept = (request) => (isBatch(request) && ++seen === cutAt ? 'cut' : undefined);
    const written = await repository.append('c', many(250, `try${cutAt}`)).catch((error: unknown) => error);
    stage.server.intercept = undefined;
    const { messages } = await repository.findByConversationId('c');
    if (seen < cutAt) {
      expect(written).toEqual({ sequence: 251 });
      expect(messages.map(messageText)).toEqual(['first', ...many(250, `try${cutAt}`).map(messageText)]);
      // The extent, three batches of parts, and the one that counts.
      expect(cutAt).toBe(6);
      break;
    }
    expect(written).toMatchObject({ code: 'store_write', retryable: true });
    expect(messages.map(messageText)).toEqual(['first']);
  }
});

it('what a stopped write has left is deleted by a later one of that size, or with the conversation', async () => {
  const repository = stage.repository();
  once(isCommit, () => 'cut');
  await expect(repository.append('c', many(150, 'lost'))).rejects.toMatchObject({ code: 'store_write' });
  expect(await stage.items('c')).toHaveLength(151);
  stage.server.intercept = undefined;
  await repository.append('c', many(120, 'kept'));
  expect(await stage.items('c')).toHaveLength(151 + 121);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  await repository.append('c', many(110, 'more')).finally(() => vi.useRealTimers());
  expect(await stage.items('c')).toHaveLength(121 + 111);
  expect((await repository.findByConversationId('c')).messages).toHaveLength(230);
  once(isCommit, () => 'cut');
  await expect(repository.append('c', many(150, 'lost'))).rejects.toMatchObject({ code: 'store_write' });
  await repository.deleteByConversationId('c');
  expect(await stage.items('c')).toEqual([]);
});

it('a conversation that is deleted while many messages are written holds all of them, and nothing else', async () => {
  const repository = stage.repository();
  const other = stage.repository();
  await repository.append('c', [userMessage('before')]);
  once(isCommit, async () => {
    await other.deleteByConversationId('c');
    return undefined;
  });
  expect(await repository.append('c', many(150, 'all'))).toEqual({ sequence: 150 });
  const { messages } = await other.findByConversationId('c');
  expect(messages.map(messageText)).toEqual(many(150, 'all').map(messageText));
  expect(await stage.items('c')).toHaveLength(151);
});

it('a conversation that begins anew while it is deleted keeps what it has', async () => {
  const repository = stage.repository();
  const other = stage.repository();
  await repository.append('c', [...many(3, 'old')]);
  await repository.append('c', many(150, 'old'));
  // The item of the conversation is gone, its messages are not yet.
  once(
    ({ headers, body }) => headers['x-ms-documentdb-isquery'] === 'true' && body.includes('_etag'),
    async () => {
      await other.append('c', many(2, 'new'));
      await other.append('c', many(150, 'new'));
      return undefined;
    },
  );
  await repository.deleteByConversationId('c');
  expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(
    [...many(2, 'new'), ...many(150, 'new')].map(messageText),
  );
  expect(await stage.items('c')).toHaveLength(2 + 151);
});

it('a write of many that ends while its conversation is deleted is kept', async () => {
  const repository = stage.repository();
  const other = stage.repository();
  await repository.append('c', many(2, 'old'));
  let isHeld: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let written: Promise<unknown> = Promise.resolve();
  let commits = 0;
  stage.server.intercept = async (request) => {
    if (isCommit(request) && ++commits === 1) {
      isHeld();
      await released;
    }
    // The extent was on the list of what is to go, and is about to be deleted.
    if (request.method === 'DELETE' && !request.path.endsWith('/conversation')) {
      release();
      await written;
    }
    return undefined;
  };
  written = repository.append('c', many(150, 'new'));
  await held;
  await other.deleteByConversationId('c');
  expect(await written).toEqual({ sequence: 150 });
  expect((await other.findByConversationId('c')).messages.map(messageText)).toEqual(many(150, 'new').map(messageText));
});

it('a write that the SDK sends again after it has landed lands once', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('first')]);
  once(isBatch, () => 'throttle-after');
  expect(await repository.append('c', [userMessage('second')], { expectedSequence: 1 })).toEqual({ sequence: 2 });
  once(isBatch, () => 'throttle-after');
  expect(await repository.append('new', [userMessage('first')])).toEqual({ sequence: 1 });
  expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['first', 'second']);
});

it('a read while another replaces, trims or deletes is of one moment', async () => {
  const repository = stage.repository();
  const other = stage.repository();
  const isRead = ({ headers, body }: SeenRequest): boolean =>
    headers['x-ms-documentdb-isquery'] === 'true' && body.includes('c.message');
  const read = async (change: () => Promise<unknown>): Promise<string[]> => {
    await other.saveAll('c', [systemMessage('old system'), ...many(5, 'old')]);
    once(isRead, async () => {
      await change();
      return undefined;
    });
    const slice = await repository.findByConversationId('c', { last: 3, includeSystem: true });
    expect(slice.sequence).toBe(slice.sequences.at(-1) ?? 0);
    return slice.messages.map(messageText);
  };
  const old = ['old system', 'old 2', 'old 3', 'old 4'];
  expect(await read(() => other.saveAll('c', [systemMessage('new system'), ...many(9, 'new')]))).toEqual([
    'new system',
    'new 6',
    'new 7',
    'new 8',
  ]);
  expect(await read(() => other.append('c', [systemMessage('late'), userMessage('late')]))).toEqual(old);
  expect(await read(async () => other.deleteBefore('c', (await other.findByConversationId('c')).sequence - 1))).toEqual(
    ['old 3', 'old 4'],
  );
  const lateSystem = async (): Promise<void> => {
    const { sequences } = await other.findByConversationId('c');
    await other.append('c', [systemMessage('late system')]);
    await other.deleteBefore('c', sequences[1] ?? 0);
  };
  expect(await read(lateSystem)).toEqual(['old 3', 'old 4', 'late system']);
  expect(await read(() => other.deleteByConversationId('c'))).toEqual([]);
});

it('a trim or a replacement that another write comes before loses nothing of it', async () => {
  const repository = stage.repository();
  const other = stage.repository();
  const beaten = (id: string): void =>
    once(isBatch, async () => {
      await other.append(id, [userMessage('in between')]);
      return undefined;
    });
  await repository.append('trimmed', many(3, 'old'));
  beaten('trimmed');
  await repository.deleteBefore('trimmed', 3);
  const trimmed = await repository.findByConversationId('trimmed');
  expect([trimmed.messages.map(messageText), trimmed.sequence]).toEqual([['old 2', 'in between'], 4]);
  await repository.append('emptied', many(3, 'old'));
  beaten('emptied');
  expect(await repository.saveAll('emptied', [])).toEqual({ sequence: 4 });
  expect(await idsOf(repository)).toEqual(['trimmed']);
  await repository.append('expected', many(3, 'old'));
  beaten('expected');
  await expect(repository.saveAll('expected', [], { expectedSequence: 3 })).rejects.toMatchObject({
    code: 'conversation_conflict',
    actualSequence: 4,
  });
  expect((await repository.findByConversationId('expected')).messages).toHaveLength(4);
});

it('a replica that lags behind shows nobody an older conversation', async () => {
  const repository = stage.repository();
  const other = stage.repository();
  await repository.append('c', [userMessage('one')]);
  stage.server.lag = 100;
  await other.append('c', [userMessage('two')], { expectedSequence: 1 });
  expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['one', 'two']);
  await repository.deleteBefore('c', 2);
  await repository.append('c', many(150, 'many'), { expectedSequence: 2 });
  expect((await other.findByConversationId('c')).messages).toHaveLength(151);
  await other.deleteByConversationId('c');
  stage.server.lag = 0;
  expect(await stage.items('c')).toEqual([]);
});

it('trimming takes away the items, also those of writes of many, and leaves system messages where they are', async () => {
  const repository = stage.repository();
  const large = [systemMessage('large '.repeat(300_000)), ...many(150, 'a'), systemMessage('in the middle')];
  await repository.append('c', [systemMessage('small'), userMessage('x')]);
  await repository.append('c', large);
  await repository.append('c', many(3, 'b'));
  const systems = [systemMessage('small'), large[0], systemMessage('in the middle')];
  await repository.deleteBefore('c', 150, { keepSystem: true });
  const trimmed = await repository.findByConversationId('c', { last: 2, includeSystem: true });
  expect(trimmed.messages).toEqual([...systems, ...many(3, 'b').slice(1)]);
  expect((await repository.findByConversationId('c', { before: 100, last: 1 })).messages).toEqual([large[0]]);
  await repository.deleteBefore('c', 157, { keepSystem: true });
  expect((await repository.findByConversationId('c')).messages).toEqual([...systems, userMessage('b 2')]);
  await repository.deleteBefore('c', 1000, { keepSystem: true });
  expect((await repository.findByConversationId('c', { last: 2 })).messages).toEqual(systems.slice(1));
  await repository.deleteBefore('c', 4);
  expect((await repository.findByConversationId('c')).messages).toEqual(systems.slice(2));
  await repository.deleteBefore('c', 1000);
  expect(await repository.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 157 });
  expect(await stage.items('c')).toEqual([]);
  expect(await idsOf(repository)).toEqual([]);
});

it('system messages that a trim could not delete are not counted twice', async () => {
  const repository = stage.repository();
  for (let turn = 0; turn < 2; turn++)
    await repository.append(
      'c',
      Array.from({ length: 90 }, (_, index) => systemMessage(`old ${index}`)),
    );
  await repository.append('c', [systemMessage('kept'), userMessage('x'), userMessage('y')]);
  let batches = 0;
  stage.server.intercept = (request) => (isBatch(request) && ++batches > 1 ? 'cut' : undefined);
  await repository.deleteBefore('c', 181);
  stage.server.intercept = undefined;
  expect((await stage.items('c')).length).toBeGreaterThan(50);
  await repository.deleteBefore('c', 181);
  expect(await stage.items('c')).toHaveLength(3);
  const { messages } = await repository.findByConversationId('c', { last: 1, includeSystem: true });
  expect(messages).toEqual([systemMessage('kept'), userMessage('y')]);
});

it('a text is never cut through a character', async () => {
  const repository = stage.repository();
  for (const text of ['', 'x'].map((start) => start + '😀'.repeat(500_000))) {
    await repository.saveAll('c', [userMessage(text)]);
    const { messages } = await repository.findByConversationId('c');
    expect(messages.map((message) => messageText(message) === text)).toEqual([true]);
  }
});

it('what a trim could not delete is deleted by the next write', async () => {
  const repository = stage.repository();
  for (let turn = 0; turn < 3; turn++) await repository.append('c', many(90, `turn${turn}`));
  let batches = 0;
  stage.server.intercept = (request) => (isBatch(request) && ++batches > 1 ? 'cut' : undefined);
  await repository.saveAll('c', [userMessage('only')]);
  stage.server.intercept = undefined;
  expect((await stage.items('c')).length).toBeGreaterThan(100);
  await repository.append('c', [userMessage('next')]);
  expect(await stage.items('c')).toHaveLength(2);
  expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['only', 'next']);
});

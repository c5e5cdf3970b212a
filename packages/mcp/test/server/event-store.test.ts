import {
  inMemoryEventStore,
  type McpHttpHandler,
  type McpHttpOptions,
  mcpHttpHandler,
  mcpResource,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { readUntil, request, startSession } from './raw-http.js';

type EventStore = NonNullable<McpHttpOptions['eventStore']>;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function newsServer(): ReturnType<typeof mcpServer> {
  const server = mcpServer({
    resources: [mcpResource({ uri: 'news://{of}', read: ({ of }) => of })],
    tools: [
      mcpTool({
        name: 'told',
        execute: async (_, { exchange }) => {
          await exchange.warning('only for the caller');
          return 'private answer';
        },
      }),
    ],
  });
  open.push(() => server.close());
  return server;
}

/** A store as small as the SDK lets it be, whose event ids hold the stream, as those of its examples do. */
function plainStore(): EventStore {
  const events: { id: string; streamId: string; message: Parameters<EventStore['storeEvent']>[1] }[] = [];
  return {
    async storeEvent(streamId, message) {
      const id = `${streamId}_${events.length}`;
      events.push({ id, streamId, message });
      return id;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const [streamId = ''] = lastEventId.split('_');
      const start = events.findIndex(({ id }) => id === lastEventId) + 1;
      for (const event of events.slice(start)) if (event.streamId === streamId) await send(event.id, event.message);
      return streamId;
    },
  };
}

const SUBSCRIBE = (uri: string): object => ({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } });

async function subscribed(handler: McpHttpHandler, who: string): Promise<Record<string, string>> {
  const headers = { 'x-key': who, ...(await startSession(handler, { 'x-key': who })) };
  const answer = await handler.fetch(request('POST', headers, SUBSCRIBE(`news://${who}`)));
  expect(await answer.text()).toContain('"result":{}');
  return headers;
}

describe.each([
  ['inMemoryEventStore()', inMemoryEventStore],
  ['a store that does not say which stream an event is of', plainStore],
])('events of one session in %s', (_, newStore) => {
  const handlerOf = (server: ReturnType<typeof mcpServer>): McpHttpHandler =>
    mcpHttpHandler(server, {
      eventStore: newStore(),
      auth: { authenticate: ({ headers }) => ({ subject: headers.get('x-key') ?? '' }) },
    });

  it('are sent again to it alone', async () => {
    const server = newsServer();
    const handler = handlerOf(server);
    const ann = await subscribed(handler, 'ann');
    const bob = await subscribed(handler, 'bob');
    const first = await handler.fetch(request('GET', bob));
    await server.resourceUpdated('news://bob');
    const seen = await readUntil(first, 'news://bob');
    await server.resourceUpdated('news://ann');
    await server.resourceUpdated('news://bob');
    const lastSeen = /id: (\S+)/.exec(seen)?.[1] ?? '';
    const again = await handler.fetch(request('GET', { ...bob, 'last-event-id': lastSeen }));
    const missed = await readUntil(again, 'news://bob');
    expect(missed).not.toContain('news://ann');

    const foreign = await handler.fetch(request('GET', { ...ann, 'last-event-id': lastSeen }));
    expect(foreign.status).toBe(400);
  });

  it('answer nobody else who knows the id of one', async () => {
    const handler = handlerOf(newsServer());
    const ann = await subscribed(handler, 'ann');
    const bob = await subscribed(handler, 'bob');
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'told' } };
    const answer = await (await handler.fetch(request('POST', ann, call))).text();
    expect(answer).toContain('private answer');
    const id = /id: (\S+)/.exec(answer)?.[1] ?? '';
    const foreign = await handler.fetch(request('GET', { ...bob, 'last-event-id': id }));
    expect(foreign.status).toBe(400);
    expect(await foreign.text()).not.toContain('private');
    const own = await handler.fetch(request('GET', { ...ann, 'last-event-id': id }));
    expect(await own.text()).toContain('private answer');
  });
});

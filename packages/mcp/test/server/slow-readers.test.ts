import { inMemoryEventStore, type McpHttpOptions, mcpHttpHandler, mcpResource, mcpServer, mcpTool } from '@vernal/mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { readUntil, request, startSession } from './raw-http.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const LINE = 'x'.repeat(1_000);

function served(options: McpHttpOptions) {
  const server = mcpServer({
    tools: [mcpTool({ name: 'large', execute: () => LINE.repeat(500) })],
    resources: [mcpResource({ uri: 'a://{+path}', read: () => 'x' })],
  });
  open.push(() => server.close());
  return { server, handler: mcpHttpHandler(server, options) };
}

/** What was sent has arrived where it waits for its reader. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const call = (name: string): object => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

describe('a stream that nobody reads', () => {
  const uri = `a://${LINE}`;

  it('breaks off, and its client may come back', async () => {
    const { server, handler } = served({ maxQueuedBytes: 10_000 });
    const headers = await startSession(handler);
    const subscribe = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } };
    await (await handler.fetch(request('POST', headers, subscribe))).text();
    const unread = await handler.fetch(request('GET', headers));
    for (let news = 0; news < 100; news++) await server.resourceUpdated(uri);
    await turn();
    await expect(unread.text()).rejects.toThrow();
    const again = await handler.fetch(request('GET', headers));
    expect(again.status).toBe(200);
    await server.resourceUpdated(uri);
    expect(await readUntil(again, uri)).toContain(uri);
  });

  it('breaks off without a session, too', async () => {
    const { server, handler } = served({ maxQueuedBytes: 10_000 });
    const params = { notifications: { resourceSubscriptions: [uri] }, ...modern };
    const unread = await handler.fetch(
      request(
        'POST',
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
        { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      ),
    );
    expect(unread.status).toBe(200);
    for (let news = 0; news < 100; news++) await server.resourceUpdated(uri);
    await turn();
    await expect(unread.text()).rejects.toThrow();
  });

  it('of the deprecated transport ends its session', async () => {
    const { server, handler } = served({ maxQueuedBytes: 10_000, sse: true });
    const unread = await handler.fetch(request('GET', {}, undefined, 'http://localhost/sse'));
    for (let changes = 0; changes < 500; changes++) await server.toolsChanged();
    await turn();
    await expect(unread.text()).rejects.toThrow();
    expect(server.connections).toBe(0);
  });

  it('of a call breaks off, and the rest is there where events are kept', async () => {
    let go: () => void = () => {};
    let finished: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const done = new Promise<void>((resolve) => {
      finished = resolve;
    });
    const server = mcpServer({
      tools: [
        mcpTool({
          name: 'talkative',
          execute: async (_, { exchange }) => {
            await gate;
            for (let line = 0; line < 100; line++) await exchange.warning(LINE);
            finished();
            return 'all was said';
          },
        }),
      ],
    });
    open.push(() => server.close());
    const handler = mcpHttpHandler(server, { maxQueuedBytes: 10_000, eventStore: inMemoryEventStore() });
    const headers = await startSession(handler);
    const unread = await handler.fetch(request('POST', headers, call('talkative')));
    const reader = unread.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    go();
    await done;
    await turn();
    await expect(reader?.read()).rejects.toThrow();
    const lastSeen = /id: (\S+)/.exec(first)?.[1] ?? '';
    const resumed = await handler.fetch(request('GET', { ...headers, 'last-event-id': lastSeen }));
    expect(await resumed.text()).toContain('all was said');
  });

  it('may hold one answer of any size', async () => {
    const { handler } = served({ maxQueuedBytes: 1_000 });
    const headers = await startSession(handler);
    const answer = await handler.fetch(request('POST', headers, call('large')));
    expect((await answer.text()).length).toBeGreaterThan(500_000);
  });
});

describe('inMemoryEventStore', () => {
  const message = { jsonrpc: '2.0' as const, method: 'notifications/message', params: { data: LINE } };

  it('keeps so many bytes, and lets the oldest go first', async () => {
    const store = inMemoryEventStore({ maxBytes: 4_000 });
    const ids: string[] = [];
    for (let event = 0; event < 10; event++) ids.push(await store.storeEvent('s', message));
    const kept = await Promise.all(ids.map(async (id) => (await store.getStreamIdForEventId?.(id)) === 's'));
    expect(kept).toEqual([...Array(7).fill(false), true, true, true]);
    const again: unknown[] = [];
    await store.replayEventsAfter(ids[7] ?? '', { send: async (_, event) => void again.push(event) });
    expect(again).toEqual([message, message]);
  });

  it('keeps nothing that is larger than all may be', async () => {
    const store = inMemoryEventStore({ maxBytes: 500 });
    const id = await store.storeEvent('s', message);
    expect(await store.getStreamIdForEventId?.(id)).toBeUndefined();
    const small = await store.storeEvent('s', { jsonrpc: '2.0', method: 'ping' });
    expect(await store.getStreamIdForEventId?.(small)).toBe('s');
  });

  it.each([{ maxBytes: 0 }, { maxEvents: -1 }, { maxBytes: 1.5 }])('refuses %j', (options) => {
    expect(() => inMemoryEventStore(options)).toThrow(/max/);
  });
});

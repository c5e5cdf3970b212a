import { fileURLToPath } from 'node:url';
import type { Transport } from '@modelcontextprotocol/client';
import { ChatClient } from '@vernal/client-chat';
import { VernalError } from '@vernal/core';
import {
  connectMcp,
  McpConnection,
  McpConnections,
  mcpTools,
  promptMessages,
  resourceDocuments,
  streamableHttpTransport,
} from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { ScriptedChatModel } from '@vernal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverOf } from './in-process-server.js';
import { type Seen, type ServedHttp, serveHttp } from './plain-server.mjs';

const PLAIN = fileURLToPath(new URL('./plain-server.mjs', import.meta.url));
const LIMIT = 60_000;

/** Over HTTP the server runs in this process, so that tests can look at what it saw. */
const seen: Seen = {};
let http: ServedHttp;
beforeAll(async () => {
  http = await serveHttp({ seen });
});
afterAll(async () => {
  await http.close();
});

describe.each(['stdio', 'http'] as const)('over %s', (kind) => {
  let connection: McpConnection;
  beforeAll(async () => {
    const transport =
      kind === 'stdio'
        ? stdioTransport({ command: process.execPath, args: [PLAIN, 'stdio'] })
        : streamableHttpTransport(http.url);
    connection = await connectMcp({ name: 'plain', transport, requestTimeoutMs: LIMIT });
  }, LIMIT);
  afterAll(async () => {
    await connection.close();
  }, LIMIT);

  test('the server introduces itself', () => {
    expect(connection.connected).toBe(true);
    expect(connection.serverInfo).toMatchObject({ name: 'plain', version: '1.2.3' });
    expect(connection.instructions).toBe('Be plain.');
    expect(connection.protocolVersion).toBe('2025-11-25');
    expect(connection.serverCapabilities?.tools).toBeDefined();
  });

  test('tools are listed and called', async () => {
    const tools = await connection.listTools();
    expect(tools.map(({ name }) => name)).toContain('add');
    expect(tools.find(({ name }) => name === 'add')?.inputSchema['properties']).toHaveProperty('a');
    const result = await connection.callTool('add', { a: 2, b: 3 });
    expect(result.content).toEqual([{ type: 'text', text: '5' }]);
    const failed = await connection.callTool('fail');
    expect(failed.isError).toBe(true);
    await expect(connection.callTool('measure')).resolves.toMatchObject({ structuredContent: { celsius: 21.5 } });
  });

  test('resources, templates, prompts and completion', async () => {
    expect(await connection.listResources()).toMatchObject([{ uri: 'mem://note' }]);
    expect(await connection.listResourceTemplates()).toMatchObject([{ uriTemplate: 'mem://page/{number}' }]);
    const [page] = resourceDocuments(await connection.readResource('mem://page/7'));
    expect(page).toMatchObject({ text: 'page 7', metadata: { uri: 'mem://page/7' } });
    expect(await connection.listPrompts()).toMatchObject([{ name: 'review' }]);
    const messages = promptMessages(await connection.getPrompt('review', { language: 'rust' }));
    expect(messages).toMatchObject([
      { type: 'user', text: 'Review this rust' },
      { type: 'assistant', text: 'Gladly' },
    ]);
    const completion = await connection.complete({
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'language', value: 'ty' },
    });
    expect(completion.values).toEqual(['typescript']);
    await connection.ping();
  });

  test('a page of a list', async () => {
    const page = await connection.listPage('tools');
    expect(page.items.length).toBeGreaterThan(5);
    expect(page.nextCursor).toBeUndefined();
  });

  test('a JSON-RPC error is mcp_protocol with its number and without the words of the server', async () => {
    const error = await connection.getPrompt('none').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'mcp_protocol', details: { errorCode: -32_602, connection: 'plain' } });
    expect(String(error)).not.toContain('not found');
  });

  test('progress is told', async () => {
    const told: number[] = [];
    await connection.callTool('steps', {}, { onProgress: ({ progress }) => told.push(progress) });
    expect(told).toEqual([1, 2, 3]);
  });

  test('a chat client uses the tools', async () => {
    const model = new ScriptedChatModel([
      { toolCalls: [{ id: '1', name: 'plain_add', arguments: '{"a":20,"b":22}' }] },
      'It is 42.',
    ]);
    const client = ChatClient.builder(model).defaultTools(mcpTools(connection)).build();
    expect(await client.prompt('20 + 22?').call().content()).toBe('It is 42.');
    expect(model.prompts[1]?.messages.at(-1)).toMatchObject({
      type: 'tool',
      responses: [{ name: 'plain_add', result: '42' }],
    });
  });
});

test('an abort ends the wait, and the server is told', { timeout: LIMIT }, async () => {
  const own: Seen = {};
  const server = await serveHttp({ seen: own });
  await using connection = await connectMcp({ name: 'plain', transport: streamableHttpTransport(server.url) });
  const controller = new AbortController();
  const waiting = new Promise<void>((resolve) => {
    own.onWaiting = resolve;
  });
  const cancelled = new Promise<void>((resolve) => {
    own.onCancelled = resolve;
  });
  const call = connection.callTool('wait', {}, { signal: controller.signal }).catch((thrown: unknown) => thrown);
  await waiting;
  controller.abort();
  expect(await call).toMatchObject({ code: 'aborted' });
  await cancelled;
  await connection.close();
  await server.close();
});

test('a tool that takes too long is given up, and only that call', { timeout: LIMIT }, async () => {
  await using connection = await connectMcp({ name: 'plain', transport: streamableHttpTransport(http.url) });
  const error = await connection.callTool('wait', {}, { timeoutMs: 50 }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'timeout', subject: 'requestTimeoutMs' });
  expect((await connection.callTool('add', { a: 1, b: 1 })).content).toHaveLength(1);
});

test('closing ends requests, the process and the session; nothing works afterwards', { timeout: LIMIT }, async () => {
  const process_ = await connectMcp({
    name: 'p',
    transport: stdioTransport({ command: process.execPath, args: [PLAIN, 'stdio'] }),
  });
  const { content } = await process_.callTool('pid');
  const pid = content[0]?.type === 'text' ? Number(content[0].text) : 0;
  const pending = process_.callTool('wait').catch((thrown: unknown) => thrown);
  await process_.close();
  await process_.close();
  expect(await pending).toMatchObject({ code: 'invalid_state' });
  expect(() => process.kill(pid, 0)).toThrow();
  await expect(process_.callTool('add')).rejects.toMatchObject({ code: 'invalid_state' });

  const session = await connectMcp({ name: 's', transport: streamableHttpTransport(http.url) });
  const before = http.sessions.size;
  await session.close();
  expect(http.sessions.size).toBe(before - 1);
});

test('a program that is not there, and a port where nobody listens', { timeout: LIMIT }, async () => {
  const missing = connectMcp({ name: 'x', transport: stdioTransport({ command: 'vernal-no-such-program' }) });
  await expect(missing).rejects.toMatchObject({ code: 'mcp_connection', retryable: false });
  const gone = await serveHttp();
  await gone.close();
  const refused = connectMcp({ name: 'x', transport: streamableHttpTransport(gone.url) });
  await expect(refused).rejects.toMatchObject({ code: 'mcp_connection', retryable: true });
  await expect(refused).rejects.toThrow(/ECONNREFUSED/);
});

test('one dead server does not keep the others from starting', { timeout: LIMIT }, async () => {
  const gone = await serveHttp();
  await gone.close();
  await using all = new McpConnections(
    { good: streamableHttpTransport(http.url), dead: streamableHttpTransport(gone.url) },
    { reconnect: { maxAttempts: 1 } },
  );
  const failures = await all.connect();
  expect(failures.map(({ name }) => name)).toEqual(['dead']);
  expect(VernalError.is(failures[0]?.error)).toBe(true);
  const tools = await mcpTools(all).toolCallbacks();
  expect(tools.every(({ definition }) => definition.name.startsWith('good_'))).toBe(true);
  await expect(mcpTools(all, { unavailable: 'throw' }).toolCallbacks()).rejects.toMatchObject({
    code: 'mcp_connection',
  });
  expect(() => all.get('other')).toThrow(/there are good, dead/);
});

describe('a transport of your own that hangs', () => {
  test('while it opens is given up, and closed when it comes', { timeout: LIMIT }, async () => {
    let arrive: (transport: Transport) => void = () => {};
    let closed = 0;
    const transport = {
      kind: 'slow',
      open: () =>
        new Promise<Transport>((resolve) => {
          arrive = resolve;
        }),
    };
    const late: Transport = { start: async () => {}, send: async () => {}, close: async () => void closed++ };
    await expect(connectMcp({ name: 's', transport, connectTimeoutMs: 20 })).rejects.toMatchObject({
      code: 'timeout',
      subject: 'connectTimeoutMs',
    });
    arrive(late);
    await expect.poll(() => closed, { timeout: LIMIT }).toBe(1);
    const connection = new McpConnection({ name: 's', transport });
    const opening = connection.connect().catch((thrown: unknown) => thrown);
    await connection.close();
    expect(await opening).toMatchObject({ code: 'invalid_state' });
  });

  test('while it closes is waited for by everyone who closes', { timeout: LIMIT }, async () => {
    const { open } = serverOf([]);
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const transport = {
      kind: 'slow',
      async open() {
        const opened = await open();
        return Object.assign(opened, { close: () => finished });
      },
    };
    const connection = await connectMcp({ name: 's', transport });
    let settled = 0;
    const closing = [connection.close(), connection.close()].map((close) => close.then(() => settled++));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(0);
    finish();
    await Promise.all(closing);
    await connection.close();
  });
});

import { connectMcp, type McpConnection, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Seen, serveHttp } from './plain-server.mjs';
import { PLAIN, type SpawnedServer, spawnHttp } from './spawned-server.js';

const LIMIT = 60_000;
const QUICK = { maxAttempts: 200, initialDelayMs: 20, multiplier: 1.2, maxDelayMs: 200 };

async function pidOf(connection: McpConnection): Promise<number> {
  const [first] = (await connection.callTool('pid')).content;
  return first?.type === 'text' ? Number(first.text) : 0;
}

describe('a server over HTTP that is killed', () => {
  let server: SpawnedServer;
  beforeEach(async () => {
    server = await spawnHttp();
  }, LIMIT);
  afterEach(async () => {
    await server.kill();
  });

  test('and started again goes on being used, with a new session', { timeout: LIMIT }, async () => {
    let told = (): void => {};
    const again = new Promise<void>((resolve) => {
      told = resolve;
    });
    await using connection = await connectMcp({
      name: 'plain',
      transport: streamableHttpTransport(server.url),
      reconnect: QUICK,
      handlers: { toolListChanged: () => told() },
    });
    const tools = mcpTools(connection);
    const [before] = await tools.toolCallbacks();
    const first = await pidOf(connection);
    await server.kill();
    server = await spawnHttp(server.port);
    const second = await pidOf(connection);
    expect(second).not.toBe(first);
    // What it offers may be other now: it was asked again.
    await again;
    const [after] = await tools.toolCallbacks();
    expect(after?.definition.name).toBe(before?.definition.name);
    expect(after).not.toBe(before);
  });

  test('is waited for while it starts, by a call that it never saw', { timeout: LIMIT }, async () => {
    await using connection = await connectMcp({
      name: 'plain',
      transport: streamableHttpTransport(server.url),
      reconnect: QUICK,
    });
    await connection.listTools();
    await server.kill();
    const call = connection.callTool('add', { a: 1, b: 2 });
    server = await spawnHttp(server.port);
    expect((await call).content).toEqual([{ type: 'text', text: '3' }]);
  });

  test('in the middle of a call ends it, and says that it may have run', { timeout: LIMIT }, async () => {
    await using connection = await connectMcp({
      name: 'plain',
      transport: streamableHttpTransport(server.url),
      requestTimeoutMs: 600_000,
      reconnect: { maxAttempts: 1 },
    });
    const failed = connection.callTool('wait').catch((thrown: unknown) => thrown);
    // Answered after the other call has reached the server.
    await connection.callTool('add', { a: 1, b: 2 });
    await server.kill();
    expect(await failed).toMatchObject({ code: 'mcp_connection', retryable: false, details: { delivered: 'unknown' } });
    const down = await connection.callTool('add', { a: 1, b: 2 }).catch((thrown: unknown) => thrown);
    expect(down).toMatchObject({ code: 'mcp_connection' });
  });

  test('is told to the model when it stays away', { timeout: LIMIT }, async () => {
    await using connection = await connectMcp({
      name: 'plain',
      transport: streamableHttpTransport(server.url),
      reconnect: { maxAttempts: 2, initialDelayMs: 1 },
    });
    const tools = mcpTools(connection);
    const add = (await tools.toolCallbacks()).find(({ definition }) => definition.name === 'plain_add');
    await server.kill();
    await expect(add?.call('{"a":1,"b":2}')).rejects.toMatchObject({ code: 'mcp_connection', fatal: false });
    // What it had stays offered: it may come back.
    expect((await tools.toolCallbacks()).length).toBeGreaterThan(5);
  });
});

test('a server that forgot the session gets a new one, and keeps what it was asked for', {
  timeout: LIMIT,
}, async () => {
  const seen: Seen = {};
  const server = await serveHttp({ seen });
  await using connection = await connectMcp({ name: 'plain', transport: streamableHttpTransport(server.url) });
  await connection.subscribeResource('mem://note');
  server.forgetSessions();
  expect((await connection.callTool('add', { a: 1, b: 2 })).content).toEqual([{ type: 'text', text: '3' }]);
  expect(server.sessions.size).toBe(1);
  expect(seen['subscribed']).toEqual(['mem://note', 'mem://note']);
  await connection.unsubscribeResource('mem://note');
  server.forgetSessions();
  // Many at once open one session together.
  const calls = Array.from({ length: 20 }, (_, a) => connection.callTool('add', { a, b: 1 }));
  expect((await Promise.all(calls)).length).toBe(20);
  expect(server.sessions.size).toBe(1);
  expect(seen['subscribed']).toHaveLength(2);
  await connection.close();
  await server.close();
});

test('a process that dies is started again', { timeout: LIMIT }, async () => {
  await using connection = await connectMcp({
    name: 'plain',
    transport: stdioTransport({ command: process.execPath, args: [PLAIN, 'stdio'] }),
    requestTimeoutMs: LIMIT,
    reconnect: QUICK,
  });
  const first = await pidOf(connection);
  await expect(connection.callTool('die')).rejects.toMatchObject({
    code: 'mcp_connection',
    details: { delivered: 'unknown' },
  });
  expect(connection.connected).toBe(false);
  const second = await pidOf(connection);
  expect(second).not.toBe(first);
  // Reading is done again by itself, wherever the process died.
  process.kill(second, 'SIGKILL');
  expect(await connection.listResources()).toHaveLength(1);
  expect(await pidOf(connection)).not.toBe(second);
});

test('a program that ends at once is not waited for', { timeout: LIMIT }, async () => {
  const lines: string[] = [];
  const failed = connectMcp({
    name: 'broken',
    transport: stdioTransport({
      command: process.execPath,
      args: ['-e', 'console.error("no key given"); process.exit(1)'],
      stderr: (line) => lines.push(line),
    }),
  });
  await expect(failed).rejects.toMatchObject({ code: 'mcp_connection' });
  await expect(failed).rejects.toThrow(/standard error/);
});

test('an address that nobody may ask is told as such', { timeout: LIMIT }, async () => {
  // fetch knows of ports that it does not speak to.
  const failed = connectMcp({ name: 'nobody', transport: streamableHttpTransport('http://127.0.0.1:9/mcp') });
  await expect(failed).rejects.toMatchObject({
    code: 'mcp_connection',
    message: expect.stringMatching(/check its address/),
  });
});

test('an abort ends the waiting for a connection', { timeout: LIMIT }, async () => {
  const silent = stdioTransport({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] });
  await expect(
    connectMcp({ name: 's', transport: silent }, { signal: AbortSignal.timeout(100) }),
  ).rejects.toMatchObject({
    code: 'timeout',
  });
  await expect(connectMcp({ name: 's', transport: silent, connectTimeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
    subject: 'connectTimeoutMs',
  });
});

test('a listener to the standard error may throw, and a line need not end', { timeout: LIMIT }, async () => {
  const lines: string[] = [];
  const program = `
    process.stderr.write('one\\r\\ntwo\\n');
    const part = 'x'.repeat(1_000_000);
    for (let i = 0; i < 5; i++) process.stderr.write(part);
    process.stderr.write('\\nl\u00e4st');
  `;
  const debug: string[] = [];
  const note = (text: string): void => void debug.push(text);
  const failed = connectMcp({
    name: 'loud',
    logger: { debug: note, info: note, warn: note },
    transport: stdioTransport({
      command: process.execPath,
      args: ['-e', program],
      stderr: (line) => {
        lines.push(line);
        throw new Error('no room');
      },
    }),
  });
  await expect(failed).rejects.toMatchObject({ code: 'mcp_connection' });
  await expect.poll(() => lines.at(-1), { timeout: LIMIT }).toBe('l\u00e4st');
  expect(lines.map(({ length }) => length)).toEqual([3, 3, 65_536, 4]);
  expect(debug.length).toBeGreaterThan(0);
});

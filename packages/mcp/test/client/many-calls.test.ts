import { connectMcp, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedHttp, serveHttp } from './plain-server.mjs';
import { PLAIN } from './spawned-server.js';

const LIMIT = 120_000;
const CALLS = 1_000;

let server: ServedHttp;
const warnings: Error[] = [];
const warned = (warning: Error): void => void warnings.push(warning);
beforeAll(async () => {
  process.on('warning', warned);
  server = await serveHttp();
});
afterAll(async () => {
  process.off('warning', warned);
  await server.close();
});

test.each(['stdio', 'http'] as const)(
  '1,000 calls at once over %s each get their own answer',
  { timeout: LIMIT },
  async (kind) => {
    const transport =
      kind === 'stdio'
        ? stdioTransport({ command: process.execPath, args: [PLAIN, 'stdio'] })
        : streamableHttpTransport(server.url);
    await using connection = await connectMcp({ name: 'plain', transport, requestTimeoutMs: LIMIT });
    const add = (await mcpTools(connection).toolCallbacks()).find(({ definition }) => definition.name === 'plain_add');
    // Arguments that fill the pipe, so that writing has to wait.
    const filler = 'x'.repeat(2_000);
    const calls = Array.from({ length: CALLS }, (_, a) => add?.call(JSON.stringify({ a, b: 1, filler })));
    const texts = (await Promise.all(calls)).map((result) => (typeof result === 'object' ? result.text : result));
    expect(texts).toEqual(Array.from({ length: CALLS }, (_, a) => String(a + 1)));
    expect(warnings.map(String)).toEqual([]);
  },
);

test('what waits in line can be aborted, and its place is free', { timeout: LIMIT }, async () => {
  await using connection = await connectMcp({
    name: 'plain',
    transport: streamableHttpTransport(server.url),
    maxConcurrentRequests: 1,
    requestTimeoutMs: LIMIT,
  });
  const first = new AbortController();
  const second = new AbortController();
  const running = connection.callTool('wait', {}, { signal: first.signal }).catch((thrown: unknown) => thrown);
  const waiting = connection.callTool('wait', {}, { signal: second.signal }).catch((thrown: unknown) => thrown);
  const last = connection.callTool('add', { a: 1, b: 1 });
  second.abort();
  expect(await waiting).toMatchObject({ code: 'aborted' });
  first.abort();
  expect(await running).toMatchObject({ code: 'aborted' });
  expect((await last).content).toHaveLength(1);
});

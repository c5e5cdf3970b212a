import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connectMcp, mcpServer, mcpTool, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { serveMcpHttp, serveMcpStdio } from '@vernal/mcp/node';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newClient } from './connect-client.js';
import { initialize } from './raw-http.js';
import { ownProgram, spawnOwn } from './spawn-own.js';

const LIMIT = 120_000;
const CALLS = 1_000;

describe('over stdio', () => {
  it.each(['legacy', 'modern'] as const)(
    'a client of the %s protocol gets 1,000 answers at once, each its own',
    async (era) => {
      const client = newClient(era);
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [await ownProgram(), 'stdio'] }),
      );
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, a) =>
          client.callTool({ name: 'add', arguments: { a, b: 1 } }, { timeout: LIMIT }),
        ),
      );
      expect(answers.map((answer) => answer.structuredContent)).toEqual(
        Array.from({ length: CALLS }, (_, a) => ({ sum: a + 1 })),
      );
      await client.close();
    },
    LIMIT,
  );

  it(
    'a client of the first SDK is served',
    async () => {
      const client = new FirstClient({ name: 'first', version: '1.0.0' });
      await client.connect(new FirstStdioTransport({ command: process.execPath, args: [await ownProgram(), 'stdio'] }));
      expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
        structuredContent: { sum: 3 },
      });
      await client.close();
    },
    LIMIT,
  );

  it(
    'the process ends when its client is gone, and survives what is no message',
    async () => {
      const child = spawn(process.execPath, [await ownProgram(), 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write(`no json\n{"jsonrpc":"1.0"}\n${JSON.stringify(initialize())}\n`);
      const [answer] = await once(child.stdout, 'data');
      expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: { serverInfo: { name: 'own-program' } } });
      const ended = once(child, 'exit');
      child.stdin.end();
      expect(await ended).toEqual([0, null]);
    },
    LIMIT,
  );

  it.each([1, 5])(
    'the process ends quietly when nobody reads the answers to %i calls in hand',
    async (count) => {
      const child = spawn(process.execPath, [await ownProgram(), 'stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
      let complaints = '';
      child.stderr.on('data', (piece) => {
        complaints += String(piece);
      });
      child.stdin.on('error', () => {});
      child.stdin.write(`${JSON.stringify(initialize())}\n`);
      await once(child.stdout, 'data');
      const left = once(child.stdout, 'close');
      child.stdout.destroy();
      await left;
      const ended = once(child, 'exit');
      for (let id = 2; id < 2 + count; id++)
        child.stdin.write(
          `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'pid', arguments: {} } })}\n`,
        );
      expect(await ended).toEqual([0, null]);
      expect(complaints).toBe('');
    },
    LIMIT,
  );

  it(
    'a connection whose reader is gone is closed, and what it called is given up',
    async () => {
      const input = new PassThrough();
      const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      const output = new Writable({ write: (_chunk, _encoding, done) => setImmediate(done, broken) });
      let givenUp: (reason: unknown) => void = () => {};
      const abandoned = new Promise((resolve) => {
        givenUp = resolve;
      });
      const server = mcpServer({
        tools: [
          mcpTool({
            name: 'wait',
            execute: (_, { signal, progress }) => {
              signal.addEventListener('abort', givenUp);
              progress(1);
              return abandoned;
            },
          }),
        ],
      });
      const connection = serveMcpStdio(server, { input, output });
      const call = {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'wait', _meta: { progressToken: 1 } },
      };
      input.write(`${JSON.stringify(initialize())}\n${JSON.stringify(call)}\n`);
      await connection.closed;
      await abandoned;
      await server.close();
      expect(server.connections).toBe(0);
    },
    LIMIT,
  );
});

describe('over HTTP', () => {
  it.each(['legacy', 'modern'] as const)(
    '1,000 calls at once of %s clients over one server each get their own answer',
    async (era) => {
      const clientCount = 10;
      let working = 0;
      let meet: () => void = () => {};
      const together = new Promise<void>((resolve) => {
        meet = resolve;
      });
      const server = mcpServer({
        tools: [
          mcpTool({
            name: 'add',
            input: z.object({ a: z.number(), b: z.number() }),
            output: z.object({ sum: z.number() }),
            execute: async ({ a, b }) => {
              working += 1;
              // Nobody is answered before as many are at work as there are clients: one after the other would wait for ever.
              if (working === clientCount) meet();
              await together;
              return { sum: a + b };
            },
          }),
        ],
      });
      await using listening = await serveMcpHttp(server);
      const clients = await Promise.all(
        Array.from({ length: clientCount }, async () => {
          const client = newClient(era);
          await client.connect(new StreamableHTTPClientTransport(listening.url));
          return client;
        }),
      );
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, a) =>
          clients[a % clients.length]?.callTool({ name: 'add', arguments: { a, b: 1 } }, { timeout: LIMIT }),
        ),
      );
      expect(answers.map((answer) => answer?.structuredContent)).toEqual(
        Array.from({ length: CALLS }, (_, a) => ({ sum: a + 1 })),
      );
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
      expect(server.connections).toBe(0);
    },
    LIMIT,
  );

  it.each(['legacy', 'modern'] as const)(
    'a server killed in mid-call fails the call of a %s client, and goes on once it is back',
    async (era) => {
      await using first = await spawnOwn();
      const port = Number(first.url.port);
      const client = newClient(era);
      await client.connect(new StreamableHTTPClientTransport(first.url));
      let started: () => void = () => {};
      const running = new Promise<void>((resolve) => {
        started = resolve;
      });
      const call = client
        .callTool({ name: 'wait', arguments: {} }, { timeout: 5_000, onprogress: () => started() })
        .then(
          () => 'answered',
          () => 'failed',
        );
      await running;
      await first.kill();
      expect(await call).toBe('failed');
      await client.close().catch(() => {});

      await using second = await spawnOwn(port);
      const again = newClient(era);
      await again.connect(new StreamableHTTPClientTransport(second.url));
      expect((await again.callTool({ name: 'pid', arguments: {} })).content).toEqual([
        { type: 'text', text: String(second.child.pid) },
      ]);
      await again.close();
    },
    LIMIT,
  );

  it('a conversation of the own client goes on with a server that was killed and started again', {
    timeout: LIMIT,
  }, async () => {
    await using first = await spawnOwn();
    await using connection = await connectMcp({ name: 'own', transport: streamableHttpTransport(first.url) });
    const [add] = await mcpTools(connection).toolCallbacks();
    expect(await add?.call('{"a":1,"b":2}')).toMatchObject({ structured: { sum: 3 } });
    await first.kill();
    await using second = await spawnOwn(Number(first.url.port));
    const pid = await connection.callTool('pid', {});
    expect(pid.content).toEqual([{ type: 'text', text: String(second.child.pid) }]);
    expect(await add?.call('{"a":20,"b":22}')).toMatchObject({ structured: { sum: 42 } });
  });
});

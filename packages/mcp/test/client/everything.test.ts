import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import {
  chatModelSampling,
  connectMcp,
  type McpClientTransport,
  type McpConnection,
  mcpTools,
  sseTransport,
  streamableHttpTransport,
} from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { ScriptedChatModel } from '@vernal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PEERS_HINT, peer } from '../mcp-peers.js';

const LIMIT = 120_000;
const everything = peer('everything');

/** It takes its port from the environment and does not tell which one it got. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function serve(kind: 'streamableHttp' | 'sse'): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, [everything ?? '', kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) if (/port/i.test(line)) break;
  child.stderr.resume();
  return { child, port };
}

describe.skipIf(everything === undefined).each(['stdio', 'http', 'sse'] as const)(
  `the reference server over %s ${PEERS_HINT}`,
  (kind) => {
    let connection: McpConnection;
    let child: ChildProcess | undefined;
    const model = new ScriptedChatModel(['a sampled answer']);
    const logged: unknown[] = [];

    beforeAll(async () => {
      let transport: McpClientTransport;
      if (kind === 'stdio')
        transport = stdioTransport({ command: process.execPath, args: [everything ?? '', 'stdio'] });
      else {
        const served = await serve(kind === 'sse' ? 'sse' : 'streamableHttp');
        child = served.child;
        const address = `http://127.0.0.1:${served.port}`;
        transport = kind === 'sse' ? sseTransport(`${address}/sse`) : streamableHttpTransport(`${address}/mcp`);
      }
      connection = await connectMcp({
        name: 'everything',
        transport,
        requestTimeoutMs: LIMIT,
        roots: [{ uri: 'file:///srv/data', name: 'data' }],
        handlers: {
          sampling: chatModelSampling(model),
          elicitation: () => ({ action: 'decline' }),
          logging: (message) => logged.push(message),
        },
      });
    }, LIMIT);
    afterAll(async () => {
      await connection?.close();
      child?.kill('SIGKILL');
    }, LIMIT);

    test('every tool becomes one of ours, and answers', { timeout: LIMIT }, async () => {
      const tools = await mcpTools(connection).toolCallbacks();
      const call = async (name: string, input: object) => {
        const tool = tools.find(({ definition }) => definition.name === `everything_${name}`);
        if (tool === undefined) throw new Error(`no ${name}`);
        return await tool.call(JSON.stringify(input));
      };
      expect(await call('echo', { message: 'hi' })).toMatchObject({ text: 'Echo: hi' });
      expect(await call('get-sum', { a: 20, b: 22 })).toMatchObject({ text: expect.stringContaining('42') });
      expect(await call('get-tiny-image', {})).toMatchObject({ media: [{ mimeType: 'image/png' }] });
      expect(await call('get-structured-content', { location: 'Chicago' })).toMatchObject({
        structured: { temperature: expect.any(Number) },
      });
      expect(await call('trigger-sampling-request', { prompt: 'Hi', maxTokens: 10 })).toMatchObject({
        text: expect.stringContaining('a sampled answer'),
      });
      expect(await call('trigger-elicitation-request', {})).toMatchObject({ text: expect.stringMatching(/decline/i) });
      expect(await call('get-roots-list', {})).toMatchObject({ text: expect.stringContaining('file:///srv/data') });
      expect(await call('get-sum', { a: 'x' })).toMatchObject({ isError: true });
    });

    test('progress of a long tool', { timeout: LIMIT }, async () => {
      const told: number[] = [];
      const args = { duration: 0.2, steps: 4 };
      await connection.callTool('trigger-long-running-operation', args, {
        onProgress: ({ progress }) => told.push(progress),
      });
      expect(told).toEqual([1, 2, 3, 4]);
    });

    test('resources, templates, prompts and completion', { timeout: LIMIT }, async () => {
      const resources = await connection.listResources();
      expect(resources.length).toBeGreaterThan(0);
      const { contents } = await connection.readResource(resources[0]?.uri ?? '');
      expect(contents.length).toBeGreaterThan(0);
      expect((await connection.listResourceTemplates()).length).toBeGreaterThan(0);
      const prompts = await connection.listPrompts();
      const simple = prompts.find(({ arguments: args }) => args === undefined || args.length === 0);
      expect((await connection.getPrompt(simple?.name ?? '')).messages.length).toBeGreaterThan(0);
      const completable = prompts.find(({ name }) => name.includes('completable'));
      const completion = await connection.complete({
        ref: { type: 'ref/prompt', name: completable?.name ?? '' },
        argument: { name: completable?.arguments?.[0]?.name ?? '', value: '' },
      });
      expect(completion.values.length).toBeGreaterThan(0);
      await connection.setLoggingLevel('debug');
      await connection.ping();
    });
  },
);

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inMemoryEventStore } from '@vernal/mcp';
import { serveMcpHttp } from '@vernal/mcp/node';
import { describe, expect, it } from 'vitest';
import { PEERS_HINT, peer } from '../mcp-peers.js';
import { conformanceServer } from './conformance-server.js';
import { ownProgram, spawnOwn } from './spawn-own.js';

const LIMIT = 120_000;
const node = peer('node');
const conformance = peer('conformance');
const inspector = peer('inspector');

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024, timeout: LIMIT }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : Number(error.code ?? 1),
        output: error === null ? stdout : `${stdout}${stderr}`,
      }),
    );
  });
}

describe('the official conformance suite', () => {
  it.skipIf(node === undefined || conformance === undefined)(
    `passes; what may fail is in conformance-failures.yml with its reason ${PEERS_HINT}`,
    async () => {
      await using listening = await serveMcpHttp(conformanceServer(), { eventStore: inMemoryEventStore() });
      const failures = fileURLToPath(new URL('./conformance-failures.yml', import.meta.url));
      const { code, output } = await run(node ?? '', [
        conformance ?? '',
        ...['server', '--url', listening.url.href, '--suite', 'all', '--expected-failures', failures],
      ]);
      expect(output).toContain('dns-rebinding-protection: 2 passed, 0 failed');
      expect(code, output.slice(-4_000)).toBe(0);
    },
    LIMIT,
  );
});

describe('the official inspector', () => {
  const inspect = async (target: readonly string[], ...args: string[]): Promise<unknown> => {
    const { code, output } = await run(node ?? '', [inspector ?? '', '--cli', ...target, ...args]);
    expect(code, output).toBe(0);
    return JSON.parse(output);
  };

  it.skipIf(node === undefined || inspector === undefined).each(['stdio', 'http'] as const)(
    `lists, calls, reads and renders over %s ${PEERS_HINT}`,
    async (kind) => {
      const own = kind === 'http' ? await spawnOwn() : undefined;
      try {
        const target =
          own === undefined ? [process.execPath, await ownProgram(), 'stdio'] : [own.url.href, '--transport', 'http'];
        expect(await inspect(target, '--method', 'tools/list')).toMatchObject({
          tools: [{ name: 'add', outputSchema: { type: 'object' } }, { name: 'wait' }, { name: 'pid' }],
        });
        const call = ['--method', 'tools/call', '--tool-name', 'add', '--tool-arg', 'a=20', '--tool-arg', 'b=22'];
        expect(await inspect(target, ...call)).toMatchObject({ structuredContent: { sum: 42 } });
        expect(await inspect(target, '--method', 'resources/read', '--uri', 'own://text')).toMatchObject({
          contents: [{ text: 'read' }],
        });
        const prompt = ['--method', 'prompts/get', '--prompt-name', 'hello', '--prompt-args', 'name=Ann'];
        expect(await inspect(target, ...prompt)).toMatchObject({
          messages: [{ content: { text: 'Say hello to Ann.' } }],
        });
      } finally {
        await own?.kill();
      }
    },
    LIMIT,
  );
});

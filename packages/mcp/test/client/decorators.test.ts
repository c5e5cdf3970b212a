import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import * as mcp from '@vernal/mcp';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { plainServer } from './plain-server.mjs';

/** The class of the type test for legacy decorators, compiled as NestJS does it. */
async function legacyHandlers(): Promise<new () => { readonly heard: readonly string[] }> {
  const path = fileURLToPath(new URL('../../types/legacy/client-handlers.ts', import.meta.url));
  const source = (await readFile(path, 'utf8')).replace('@Injectable()', '');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { experimentalDecorators: true, module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const found: Record<string, unknown> = {};
  new Function('require', 'exports', outputText)(() => mcp, found);
  const { Handlers } = found;
  if (typeof Handlers !== 'function') throw new Error('no class');
  return Handlers as new () => { readonly heard: readonly string[] };
}

test('methods with legacy decorators answer and listen', async () => {
  const Handlers = await legacyHandlers();
  const handlers = new Handlers();
  await using connection = await mcp.connectMcp({
    name: 'docs',
    handlers,
    transport: {
      kind: 'in-process',
      async open() {
        const [ours, theirs] = InMemoryTransport.createLinkedPair();
        await plainServer().connect(theirs);
        return ours;
      },
    },
  });
  expect((await connection.callTool('ask-model', { prompt: 'x' })).content).toMatchObject([
    { text: expect.stringContaining('"text":"50"') },
  ]);
  expect((await connection.callTool('ask-user')).content).toMatchObject([{ text: '{"action":"decline"}' }]);
  await connection.callTool('log');
  await connection.callTool('steps');
  await connection.callTool('touch');
  await connection.callTool('grow');
  await expect.poll(() => handlers.heard.at(-1), { timeout: 60_000 }).toMatch(/tools$/);
  await expect.poll(() => handlers.heard.includes('1 entries'), { timeout: 60_000 }).toBe(true);
  expect(handlers.heard.slice(0, 4)).toEqual(['docs warning', 'steps 1', 'steps 2', 'steps 3']);
});

test('decorates methods only', () => {
  const decorate: unknown = mcp.McpLogging();
  if (typeof decorate !== 'function') throw new Error('no decorator');
  expect(() => decorate(class {}, undefined)).toThrow(/@McpLogging: decorates methods only/);
  expect(() => decorate({}, 'field', undefined)).toThrow(/decorates methods only/);
});

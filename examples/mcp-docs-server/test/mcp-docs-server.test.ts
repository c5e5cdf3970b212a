import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectMcp, type McpConnection, promptMessages, streamableHttpTransport } from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let docs: McpConnection;
beforeAll(async () => {
  const transport = stdioTransport({ command: process.execPath, args: [main], stderr: 'inherit' });
  docs = await connectMcp({ name: 'docs', transport, connectTimeoutMs: 120_000 });
}, 120_000);
afterAll(() => docs.close());

describe('the documentation over stdio', { timeout: 60_000 }, () => {
  it('is searched', async () => {
    const { content, structuredContent } = await docs.callTool('search_docs', {
      query: 'How many times may one tool be called in a turn?',
    });
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('40 times in a turn') }]);
    expect(JSON.stringify(structuredContent)).toContain('"page":"concepts.html"');
  });

  it('is read page by page', async () => {
    const resources = await docs.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: 'docs://vernal/memory.md', name: 'memory.md', mimeType: 'text/markdown' }),
    );
    expect(resources.map(({ name }) => name)).toContain('guides/write-a-vector-store.md');
    const { contents } = await docs.readResource('docs://vernal/memory.md');
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringMatching(/^# Chat memory\n/) }]);
  });

  it('has prompts, whose arguments are completed', async () => {
    const explain = promptMessages(await docs.getPrompt('explain', { topic: 'the order of advisors' }));
    expect(explain).toMatchObject([
      { type: 'user', text: expect.stringMatching(/^Explain the order of advisors .*\n\n/) },
    ]);
    const ref = { type: 'ref/prompt', name: 'summarize' } as const;
    const { values } = await docs.complete({ ref, argument: { name: 'page', value: 'mem' } });
    expect(values).toEqual(['memory.md']);
    const summarize = promptMessages(await docs.getPrompt('summarize', { page: 'memory.md' }));
    expect(summarize).toMatchObject([{ text: expect.stringContaining('# Chat memory') }]);
    await expect(docs.getPrompt('summarize', { page: 'none.md' })).rejects.toMatchObject({ code: 'mcp_protocol' });
  });
});

it('the documentation over HTTP', { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [main, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const url = /http:\S+(?=;)/.exec(String(line))?.[0] ?? '';
    await using connection = await connectMcp({ name: 'docs', transport: streamableHttpTransport(url) });
    expect((await connection.listTools()).map(({ name }) => name)).toEqual(['search_docs']);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
  expect(child.exitCode).toBe(0);
});

import { join } from 'node:path';
import { runCli } from '@vernal/cli';
import { document } from '@vernal/core';
import { connectMcp, mcpServer, streamableHttpTransport } from '@vernal/mcp';
import { serveMcpHttp } from '@vernal/mcp/node';
import { LocalEmbeddingModel } from '@vernal/model-local';
import { fileResource } from '@vernal/node';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { type FakeIo, fakeIo } from './fake-io.js';
import { handbook } from './handbook.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const LIMIT = 60_000;

/** What a host writes: the greeting, then requests with the ids 2, 3, … */
function hostLines(requests: readonly { readonly method: string; readonly params?: object }[]): string {
  const greeting = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  };
  return [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: greeting },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ...requests.map((request, at) => ({ jsonrpc: '2.0', id: at + 2, ...request })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

function answer(io: FakeIo, id: number): unknown {
  return io.json().find((line) => line['id'] === id)?.['result'];
}

describe('vernal mcp serve over stdio', { timeout: LIMIT }, () => {
  it('answers a host with passages and documents, and writes nothing else to stdout', async () => {
    await using folder = await temporaryFolder(handbook);
    const io = fakeIo({ cwd: folder.path });
    const code = runCli(['mcp', 'serve', '--json', '--verbose', '--docs', 'handbook', '--about', 'Life here'], io);
    const search = { name: 'search', arguments: { query: 'How many days of paid leave?', topK: 1 } };
    io.stdin.write(
      hostLines([
        { method: 'tools/list' },
        { method: 'tools/call', params: search },
        { method: 'resources/list' },
        { method: 'resources/read', params: { uri: 'vernal://documents/handbook/lunch.md' } },
      ]),
    );
    for (const id of [1, 2, 3, 4, 5]) await io.shown(`"id":${id}`);
    io.stdin.end();
    expect(await code).toBe(0);
    expect(io.json().every((line) => line['jsonrpc'] === '2.0')).toBe(true);
    expect(answer(io, 1)).toMatchObject({
      serverInfo: { name: 'vernal', title: 'Life here' },
      instructions: expect.stringContaining('Life here'),
    });
    expect(answer(io, 2)).toMatchObject({
      tools: [
        {
          name: 'search',
          description: expect.stringContaining('Life here'),
          annotations: { readOnlyHint: true, openWorldHint: false },
        },
      ],
    });
    expect(answer(io, 3)).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('31 days of paid leave') }],
      structuredContent: { documents: [{ metadata: { source: 'handbook/leave.md', title: 'Leave' } }] },
    });
    expect(answer(io, 4)).toMatchObject({
      resources: [
        { uri: 'vernal://documents/handbook/leave.md', name: 'handbook/leave.md' },
        { uri: 'vernal://documents/handbook/lunch.md', name: 'handbook/lunch.md' },
      ],
    });
    expect(answer(io, 5)).toMatchObject({
      contents: [{ mimeType: 'text/plain', text: expect.stringContaining('Lunch is served at noon') }],
    });
    const said = io.stderr.text.split('\n').find((line) => line.startsWith('{'));
    expect(JSON.parse(said ?? '')).toMatchObject({ type: 'serving', passages: 2, files: 2, skipped: [] });
  });

  it('serves a store that was ingested, and ends at Ctrl-C as at a farewell', async () => {
    const long = `${'Nothing happens on this page. '.repeat(60)}The end.`;
    await using folder = await temporaryFolder({ ...handbook, 'handbook/long story.txt': long });
    const ingest = ['ingest', 'handbook', '--store', 'handbook.vernal'];
    expect(await run(ingest, { cwd: folder.path })).toMatchObject({ code: 0 });
    const io = fakeIo({ cwd: folder.path });
    const code = runCli(['mcp', 'serve', '--store', 'handbook.vernal'], io);
    const uri = 'vernal://documents/handbook/long%20story.txt';
    io.stdin.write(hostLines([{ method: 'resources/read', params: { uri } }]));
    await io.shown('"id":2');
    const { contents } = answer(io, 2) as { contents: { text: string }[] };
    // Several passages, in the order of the text.
    expect(contents[0]?.text.replace(/\s+/g, ' ')).toBe(long);
    expect(io.interrupt()).toBe(true);
    expect(await code).toBe(0);
    expect(io.stderr.text).toMatch(/^Serving \d+ passages over stdin and stdout\n$/);
  });

  it('serves the documents of a store also where the name of one is no text', async () => {
    await using folder = await temporaryFolder(handbook);
    const store = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
    await store.add([
      document('Every employee has 31 days of paid leave.', { source: 'handbook/leave.md' }),
      document('Lunch is served at noon.', { source: 'handbook/lunch\ud800.md' }),
    ]);
    await store.save(fileResource(join(folder.path, 'handbook.vernal')));
    await store.close();
    const io = fakeIo({ cwd: folder.path });
    const code = runCli(['mcp', 'serve', '--store', 'handbook.vernal'], io);
    io.stdin.write(
      hostLines([
        { method: 'resources/list' },
        { method: 'resources/read', params: { uri: 'vernal://documents/handbook/leave.md' } },
        { method: 'resources/read', params: { uri: 'vernal://documents/handbook/lunch%EF%BF%BD.md' } },
      ]),
    );
    for (const id of [2, 3, 4]) await io.shown(`"id":${id}`);
    io.stdin.end();
    expect(await code).toBe(0);
    expect(answer(io, 2)).toMatchObject({
      resources: [{ name: 'handbook/leave.md' }, { name: 'handbook/lunch\uFFFD.md' }],
    });
    expect(answer(io, 3)).toMatchObject({ contents: [{ text: expect.stringContaining('31 days') }] });
    expect(answer(io, 4)).toMatchObject({ contents: [{ text: expect.stringContaining('at noon') }] });
  });

  it('says what is wrong on stderr, also with --json', async () => {
    await using folder = await temporaryFolder(handbook);
    const failing = (...args: string[]) => run(['mcp', ...args], { cwd: folder.path });
    expect(await failing('serve', '--json')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^\{"type":"error","code":"usage","message":"No document found/),
    });
    expect((await failing()).err).toBe("Say what vernal mcp is to do: write 'vernal mcp serve'.\n");
    expect((await failing('serve', 'handbook')).err).toBe(
      'Documents to serve stand behind --docs: write --docs handbook.\n',
    );
    expect((await failing('serve', '--docs', 'handbook', '--http', '70000')).err).toMatch(/^--http 70000 is no port/);
    expect((await failing('serve', '--store', 'gone.vernal')).err).toMatch(/^There is no store at gone\.vernal/);
  });
});

describe('vernal mcp serve --http', { timeout: LIMIT }, () => {
  it('serves clients at an address until Ctrl-C', async () => {
    await using folder = await temporaryFolder(handbook);
    const io = fakeIo({ cwd: folder.path });
    const code = runCli(['mcp', 'serve', '--json', '--docs', 'handbook', '--http', '0'], io);
    await io.shown('\n');
    const [serving] = io.json();
    expect(serving).toMatchObject({ type: 'serving', passages: 2 });
    const url = String(serving?.['url']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    await using client = await connectMcp({ name: 'handbook', transport: streamableHttpTransport(url) });
    const found = await client.callTool('search', { query: 'When is lunch?' });
    expect(found.content).toMatchObject([{ text: expect.stringContaining('noon') }]);
    await expect(client.readResource('vernal://documents/handbook/gone.md')).rejects.toMatchObject({
      code: 'mcp_protocol',
    });
    // A page of the web that got a name for this machine.
    const foreign = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' });
    expect(foreign.status).toBe(403);
    io.interrupt();
    expect(await code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('says when the port cannot be had', async () => {
    await using folder = await temporaryFolder(handbook);
    await using taken = await serveMcpHttp(mcpServer({}));
    const { code, err } = await run(['mcp', 'serve', '--docs', 'handbook', '--http', String(taken.port)], {
      cwd: folder.path,
    });
    expect([code, err]).toEqual([1, expect.stringMatching(/port: 127\.0\.0\.1:\d+ cannot be had/)]);
  });
});

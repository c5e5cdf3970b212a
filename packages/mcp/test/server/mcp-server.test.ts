import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { connectClient, type Era, handlerOf } from './connect-client.js';
import { notesServer } from './notes-server.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function connected(era: Era, sure = true): Promise<Client> {
  const server = notesServer();
  const client = await connectClient(handlerOf(server), era, { sure });
  open.push(
    () => server.close(),
    () => client.close(),
  );
  return client;
}

describe.each(['legacy', 'modern'] as const)('a server and a client of the %s protocol', (era) => {
  it('says who it is and what it offers', async () => {
    const client = await connected(era);
    expect(client.getServerVersion()).toMatchObject({ name: 'notes', version: '2.1.0' });
    expect(client.getInstructions()).toBe('Keep it short.');
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
  });

  it('lists tools of every source with what MCP knows of them', async () => {
    const client = await connected(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'deploy', 'talk', 'countNotes', 'addNote']);
    expect(tools.find(({ name }) => name === 'countNotes')).toMatchObject({
      title: 'Count notes',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { folder: { type: 'string' } }, required: ['folder'] },
      outputSchema: { type: 'object', properties: { count: { type: 'integer' } } },
    });
  });

  it('calls tools: text, structured content, progress', async () => {
    const client = await connected(era);
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
    const progress: unknown[] = [];
    const counted = await client.callTool(
      { name: 'countNotes', arguments: { folder: 'shopping' } },
      { onprogress: (update) => progress.push(update) },
    );
    expect(counted.structuredContent).toEqual({ count: 2 });
    expect(counted.content).toEqual([{ type: 'text', text: '{"count":2}' }]);
    expect(progress).toMatchObject([
      { progress: 1, total: 2, message: 'counting' },
      { progress: 2, total: 2 },
    ]);
  });

  it('tells the model of throws without what they say, of bad arguments with what is wrong, and the client of unknown tools', async () => {
    const client = await connected(era);
    const failed = await client.callTool({ name: 'fail', arguments: {} });
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed)).toContain("Tool 'fail' failed (TypeError)");
    expect(JSON.stringify(failed)).not.toContain('hunter2');
    const bad = await client.callTool({ name: 'echo', arguments: { text: 7 } });
    expect(bad.isError).toBe(true);
    expect(JSON.stringify(bad)).toContain('text:');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });

  it('asks the client in the middle of a tool: its user, its model, its roots', async () => {
    const client = await connected(era);
    const deployed = await client.callTool({ name: 'deploy', arguments: { to: 'prod' } });
    expect(deployed.content).toEqual([{ type: 'text', text: 'Deployed to prod: because (file:///work)' }]);
    const refusing = await connected(era, false);
    const kept = await refusing.callTool({ name: 'deploy', arguments: { to: 'prod' } });
    expect(kept.content).toEqual([{ type: 'text', text: 'Not deployed' }]);
  });

  it('passes a result of the protocol on as it is', async () => {
    const client = await connected(era);
    expect(await client.callTool({ name: 'talk', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'told' }],
      _meta: { kept: true },
    });
  });

  it('serves resources, templates with typed variables, and hides why reading failed', async () => {
    const client = await connected(era);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
      ['config://app', 'config'],
      ['gone://it', 'gone://it'],
      ['logo://app', 'logo://app'],
      ['notes://shopping/1', 'First of the shopping'],
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'notes://{folder}/{id}', name: 'note' }]);
    expect((await client.readResource({ uri: 'config://app' })).contents).toEqual([
      { uri: 'config://app', mimeType: 'application/json', text: '{"theme":"dark"}' },
    ]);
    expect((await client.readResource({ uri: 'logo://app' })).contents).toEqual([
      { uri: 'logo://app', mimeType: 'image/png', blob: 'iVBORw==' },
    ]);
    expect((await client.readResource({ uri: 'notes://shopping/2' })).contents).toMatchObject([
      { text: 'Bread & butter' },
    ]);
    await expect(client.readResource({ uri: 'notes://shopping/x' })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.readResource({ uri: 'notes://shopping/9' })).rejects.toThrow(
      /^(?!.*secret).*Resource note failed \(Error\)/,
    );
    await expect(client.readResource({ uri: 'gone://it' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('gone://it'),
    });
    await expect(client.readResource({ uri: 'nothing://here' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('serves prompts and completes their arguments', async () => {
    const client = await connected(era);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      {
        name: 'summary',
        description: 'Sums up a folder',
        arguments: [
          { name: 'folder', description: 'Which folder', required: true },
          { name: 'lines', required: false },
        ],
      },
    ]);
    const got = await client.getPrompt({ name: 'summary', arguments: { folder: 'work', lines: '4' } });
    expect(got.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Sum up work in 5 lines.' } }]);
    await expect(client.getPrompt({ name: 'summary', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'summary' },
      argument: { name: 'folder', value: 'sho' },
    });
    expect(completion).toMatchObject({ values: ['shopping', 'shoes'], total: 2, hasMore: false });
  });
});

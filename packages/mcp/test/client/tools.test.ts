import { InMemoryTransport } from '@modelcontextprotocol/server';
import { ChatClient, ToolCallingAdvisor } from '@vernal/client-chat';
import { ToolCallingManager, type ToolContext } from '@vernal/core';
import {
  approveByAnnotations,
  connectMcp,
  isMcpClientTool,
  type McpConnection,
  mcpToolHints,
  mcpToolName,
  mcpToolOf,
  mcpTools,
} from '@vernal/mcp';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProcessServer, serverOf } from './in-process-server.js';
import { plainServer, type Seen } from './plain-server.mjs';

const seen: Seen = {};

async function connected(name: string, registry?: RecordingObservationRegistry): Promise<McpConnection> {
  return await connectMcp({
    name,
    requestTimeoutMs: 60_000,
    observationRegistry: registry,
    transport: {
      kind: 'in-process',
      async open() {
        const [ours, theirs] = InMemoryTransport.createLinkedPair();
        await plainServer(seen).connect(theirs);
        return ours;
      },
    },
  });
}

let one: McpConnection;
let two: McpConnection;
beforeAll(async () => {
  one = await connected('one');
  two = await connected('two');
});
afterAll(async () => {
  await one.close();
  await two.close();
});

const context = (values: Readonly<Record<string, unknown>>): ToolContext => ({
  values,
  signal: new AbortController().signal,
  toolCallId: 'c1',
  messages: [],
});

async function toolNamed(name: string, options?: Parameters<typeof mcpTools>[1]) {
  const found = (await mcpTools([one, two], options).toolCallbacks()).find(
    ({ definition }) => definition.name === name,
  );
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

describe('names', () => {
  test('are made of the two names, whatever else there is', () => {
    expect(mcpToolName('files', 'read_file')).toBe('files_read_file');
    expect(mcpToolName(undefined, 'read-file')).toBe('read-file');
    expect(mcpToolName('my files', 'read')).toMatch(/^my_files_read_0[a-z0-9]{10}$/);
    expect(mcpToolName('files', '읽기')).toMatch(/^files_tool_0[a-z0-9]{10}$/);
    expect(mcpToolName('files', '読む')).not.toBe(mcpToolName('files', '읽기'));
    expect(mcpToolName('files', 'café')).toMatch(/^files_cafe_/);
    expect(mcpToolName('files', 'n'.repeat(500))).toHaveLength(64);
    expect(mcpToolName('files', `${'n'.repeat(500)}a`)).not.toBe(mcpToolName('files', `${'n'.repeat(500)}b`));
  });

  test('of two servers with the same tools do not collide', async () => {
    const tools = await mcpTools([one, two]).toolCallbacks();
    const names = tools.map(({ definition }) => definition.name);
    expect(names).toContain('one_add');
    expect(names).toContain('two_add');
    expect(new Set(names).size).toBe(names.length);
  });

  test('without prefixes stay apart, and stay the same', async () => {
    const provider = mcpTools([one, two], { prefix: false, filter: ({ name }) => name === 'add' });
    const [first, second] = (await provider.toolCallbacks()).map(({ definition }) => definition.name);
    expect(first).toBe('add');
    expect(second).toMatch(/^add_0[a-z0-9]{10}$/);
    await one.listTools({ fresh: true });
    await two.listTools({ fresh: true });
    expect((await provider.toolCallbacks()).map(({ definition }) => definition.name)).toEqual([first, second]);
  });

  test('that collide by what the prefix is joined with stay apart', async () => {
    await using short = await connected('a');
    await using long = await connected('a_ask');
    const tools = await mcpTools([short, long], {
      filter: ({ name }, { connection }) => (connection === 'a' ? name === 'ask-model' : name === 'add'),
    }).toolCallbacks();
    expect(tools.map(({ definition }) => definition.name)).toEqual(['a_ask-model', 'a_ask_add']);
  });

  test('are never those of another connection, whatever is listed first or at all', async () => {
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
    const open = (name: string, tools: readonly string[]) =>
      connectMcp({ name, transport: serverOf(tools.map(tool)), requestTimeoutMs: 60_000 });
    const hashed = mcpToolName('files', 'admin_delete', ['files_admin']);
    expect(hashed).toMatch(/^files_admin_delete_0[a-z0-9]{10}$/);
    // A server that knows how names are made asks for that of another's tool.
    const wanted = hashed.slice('files_admin_'.length);
    await using files = await open('files', ['read', 'admin_delete', 'admin']);
    await using admin = await open('files_admin', ['delete', wanted]);
    await using alone = await open('files_admin', []);
    const namesOf = async (...connections: readonly McpConnection[]) =>
      Object.fromEntries(
        (await mcpTools(connections).toolCallbacks()).map(({ definition }) => {
          const { connection = '', tool: described } = mcpToolOf(definition) ?? {};
          return [`${connection}/${described?.name}`, definition.name];
        }),
      );
    const names = await namesOf(files, admin);
    expect(names).toMatchObject({
      'files/read': 'files_read',
      'files/admin': 'files_admin',
      'files/admin_delete': hashed,
      'files_admin/delete': 'files_admin_delete',
    });
    expect(new Set(Object.values(names)).size).toBe(5);
    expect(await namesOf(admin, files)).toEqual(names);
    expect(await namesOf(files, alone)).toMatchObject({ 'files/admin_delete': hashed });
    expect(await namesOf(files)).toMatchObject({ 'files/admin_delete': 'files_admin_delete' });
  });

  test('without prefixes are free again when nobody offers them', async () => {
    let offered = ['add', 'old'];
    const changing = inProcessServer(({ id, method }, say) => {
      if (method === 'tools/list')
        say({ id, result: { tools: offered.map((name) => ({ name, inputSchema: { type: 'object' } })) } });
    });
    await using first = await connectMcp({ name: 'first', transport: changing });
    await using second = await connectMcp({
      name: 'second',
      transport: serverOf([{ name: 'new', inputSchema: { type: 'object' } }]),
    });
    const provider = mcpTools([first, second], { prefix: false });
    const names = async () => (await provider.toolCallbacks()).map(({ definition }) => definition.name);
    expect(await names()).toEqual(['add', 'old', 'new']);
    offered = ['add', 'new'];
    await first.listTools({ fresh: true });
    expect(await names()).toEqual(['add', expect.stringMatching(/^new_0[a-z0-9]{10}$/), 'new']);
    offered = ['add', 'old'];
    await first.listTools({ fresh: true });
    expect(await names()).toEqual(['add', 'old', 'new']);
  });

  test('of your own are checked', async () => {
    const same = mcpTools([one, two], { name: ({ name }) => name, filter: ({ name }) => name === 'add' });
    await expect(same.toolCallbacks()).rejects.toThrow(/two tools named 'add'/);
    await expect(mcpTools(one, { name: () => 'not legal!' }).toolCallbacks()).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    const own = mcpTools([one, two], {
      name: ({ name }, { connection, serverInfo }) => `${serverInfo?.name}-${connection}-${name}`,
    });
    expect((await own.toolCallbacks())[0]?.definition.name).toBe('plain-one-add');
    expect(() => mcpTools([one, one])).toThrow(/two named 'one'/);
  });
});

describe('answers', () => {
  test('text, images, audio, links and resources', async () => {
    const paint = await toolNamed('one_paint');
    expect(await paint.call('')).toMatchObject({
      text: 'a pixel\n[a.txt](file:///a.txt)\nnoted',
      media: [
        { mimeType: 'image/png', source: { type: 'base64' } },
        { mimeType: 'audio/wav', source: { type: 'base64', base64: 'UklGRg==' } },
        { mimeType: 'image/png', id: 'mem://blob' },
      ],
    });
  });

  test('structured content beside its text', async () => {
    const measure = await toolNamed('one_measure');
    expect(await measure.call('{}')).toEqual({ text: '{"celsius":21.5}', structured: { celsius: 21.5 } });
  });

  test('a tool that fails is told to the model, not thrown', async () => {
    const fail = await toolNamed('one_fail');
    expect(await fail.call('{}')).toEqual({ text: 'no paper', isError: true });
    await expect(fail.call('[1]')).rejects.toMatchObject({ code: 'tool_execution' });
    await expect(fail.call('{"a"')).rejects.toThrow(/must be a JSON object/);
  });
});

test('nothing of the tool context leaves, but for what a function picks', async () => {
  seen['meta'] = [];
  const secret = context({ userId: 'u1', key: 'sk-123' });
  await (await toolNamed('one_add')).call('{"a":1,"b":1}', secret);
  await (await toolNamed('one_add', { meta: ({ values }) => ({ 'example.com/user': values['userId'] }) })).call(
    '{"a":1,"b":1}',
    secret,
  );
  const [nothing, picked] = Array.isArray(seen['meta']) ? seen['meta'] : [];
  expect(Object.keys(nothing)).toEqual(['progressToken']);
  expect(picked).toMatchObject({ 'example.com/user': 'u1' });
  expect(JSON.stringify(seen['meta'])).not.toContain('sk-123');
});

test('a tool that never tells its progress is not asked any more, unless somebody listens', async () => {
  await using connection = await connected('quiet');
  seen['meta'] = [];
  const asked = (): unknown[] =>
    Array.isArray(seen['meta']) ? seen['meta'].map((meta) => meta?.progressToken !== undefined) : [];
  for (let i = 0; i < 5; i++) await connection.callTool('add', { a: 1, b: 1 });
  await connection.callTool('add', { a: 1, b: 1 }, { onProgress: () => {} });
  await connection.callTool('add', { a: 1, b: 1 });
  expect(asked()).toEqual([true, true, true, false, false, true, false]);
});

test('progress of a tool reaches its context', async () => {
  const told: unknown[] = [];
  await (await toolNamed('one_steps')).call('{}', { ...context({}), progress: (update) => told.push(update) });
  expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
});

test('tools come with a mark, their annotations and their origin', async () => {
  const add = await toolNamed('one_add', { returnDirect: ({ name }) => name === 'add' });
  expect(isMcpClientTool(add)).toBe(true);
  expect(add.metadata.returnDirect).toBe(true);
  expect(mcpToolOf(add.definition)).toMatchObject({
    connection: 'one',
    tool: { name: 'add', annotations: { readOnlyHint: true } },
  });
  expect(mcpToolHints(add.definition)).toEqual({
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: true,
  });
  expect(mcpToolOf({ name: 'x', description: '', inputSchema: {} })).toBeUndefined();
});

test('what only reads runs, the rest waits for a person, of servers that are trusted', async () => {
  const ask = (trust: readonly string[], tool: string) => {
    const model = new ScriptedChatModel([{ toolCalls: [{ id: '1', name: tool, arguments: '{"a":1,"b":2}' }] }, 'done']);
    const manager = new ToolCallingManager({
      approve: approveByAnnotations({ trust }),
      approvalKey: new Uint8Array(32),
    });
    const advisor = new ToolCallingAdvisor({ manager });
    const client = ChatClient.builder(model, { toolCallingAdvisor: advisor })
      .defaultTools(mcpTools([one, two]))
      .build();
    return client.prompt('go').call().chatClientResponse();
  };
  expect((await ask(['one'], 'one_add')).pendingApproval).toBeUndefined();
  expect((await ask(['one'], 'one_paint')).pendingApproval?.calls).toHaveLength(1);
  expect((await ask(['one'], 'two_add')).pendingApproval?.calls).toHaveLength(1);
});

test('spans nest from the chat to the request, and the trace goes along', async () => {
  const registry = new (class extends RecordingObservationRegistry {
    override start(start: Parameters<RecordingObservationRegistry['start']>[0]) {
      const observation = super.start(start);
      const traceparent = `00-${'a'.repeat(32)}-${String(this.observations.length).padStart(16, '0')}-01`;
      return Object.assign(observation, { traceContext: () => ({ traceparent }) });
    }
  })();
  seen['meta'] = [];
  await using connection = await connected('traced', registry);
  const model = new ScriptedChatModel([
    { toolCalls: [{ id: '1', name: 'traced_add', arguments: '{"a":1,"b":2}' }] },
    'done',
  ]);
  const client = ChatClient.builder(model, { observationRegistry: registry })
    .defaultTools(mcpTools(connection))
    .build();
  await client.prompt('go').call().content();
  const call = registry.observations.find(({ kind, name }) => kind === 'mcp' && name === 'tools/call');
  expect(call?.data).toMatchObject({
    side: 'client',
    method: 'tools/call',
    server: 'traced',
    target: 'add',
    protocolVersion: '2025-11-25',
  });
  const kinds: string[] = [];
  for (let at = call; at !== undefined; at = at.parent) kinds.push(at.kind);
  expect(kinds.slice(0, 2)).toEqual(['mcp', 'tool']);
  expect(kinds.at(-1)).toBe('chat_client');
  registry.assertAllStopped();
  const [meta] = Array.isArray(seen['meta']) ? seen['meta'] : [];
  const number = call === undefined ? 0 : registry.observations.indexOf(call) + 1;
  expect(meta.traceparent).toBe(`00-${'a'.repeat(32)}-${String(number).padStart(16, '0')}-01`);
});

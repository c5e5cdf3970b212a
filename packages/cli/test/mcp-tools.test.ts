import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runCli } from '@vernal/cli';
import { jsonSchema } from '@vernal/core';
import { mcpServer, mcpTool } from '@vernal/mcp';
import { type McpHttpServer, serveMcpHttp } from '@vernal/mcp/node';
import { startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire } from '@vernal/testing/wires';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeIo, fakeIo } from './fake-io.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const LIMIT = 60_000;
const openAi = (url: string): Record<string, string> => ({ OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: url });

/** A server of the official SDK as a program. */
const PLAIN = fileURLToPath(new URL('../../mcp/test/client/plain-server.mjs', import.meta.url));
/** Says which process it is. */
const TELL_PID =
  'data:text/javascript,import{writeFileSync}from"node:fs";writeFileSync(process.env.PID_FILE,String(process.pid))';

/** A place for a variable. */
const variable = (name: string): string => `$\{${name}}`;

const named = jsonSchema<{ readonly name: string }>({
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
});

let notes: Map<string, string>;
let server: ReturnType<typeof mcpServer>;
let served: McpHttpServer;
beforeEach(async () => {
  notes = new Map([['lunch', 'At noon.']]);
  const read = mcpTool({
    name: 'read',
    input: named,
    annotations: { readOnlyHint: true },
    execute: ({ name }) => notes.get(name) ?? 'nothing',
  });
  const remove = mcpTool({
    name: 'remove',
    input: named,
    annotations: { destructiveHint: true },
    execute: ({ name }) => `removed: ${notes.delete(name)}`,
  });
  const unsaid = mcpTool({ name: 'unsaid', execute: () => `had ${notes.size}` });
  server = mcpServer({ name: 'notes', tools: [read, remove, unsaid] });
  served = await serveMcpHttp(server);
});
afterEach(async () => {
  await server.close();
  await served.close();
});

const call = (name: string, args: Readonly<Record<string, string>> = {}) =>
  openAiChatWire.stream([{ toolCalls: [{ name, arguments: args }] }]);
const says = (text: string) => openAiChatWire.stream([text]);

function configuration(more: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return { 'servers.json': JSON.stringify({ mcpServers: { notes: { url: served.url.href }, ...more } }) };
}

/** What the model was told by tools, in all requests. */
function told(requests: readonly { readonly json: unknown }[]): readonly string[] {
  const { messages = [] } = openAiChatWire.request(requests.at(-1)?.json);
  return messages.flatMap((one) => (one.type === 'tool' ? one.responses.map(({ result }) => result) : []));
}

describe('vernal ask --mcp', { timeout: LIMIT }, () => {
  it('lets the model use the tools of all servers, names the one that is down, and closes what it opened', async () => {
    const nowhere = await serveMcpHttp(server);
    await nowhere.close();
    await using folder = await temporaryFolder(
      configuration({
        gone: { url: nowhere.url.href },
        sums: {
          command: process.execPath,
          args: ['--import', TELL_PID, PLAIN, 'stdio'],
          env: { PID_FILE: `${variable('FOLDER')}/pid.txt` },
        },
      }),
    );
    await using model = await startMockServer([
      call('notes_read', { name: 'lunch' }),
      call('sums_add', { a: '20', b: '22' }),
      says('At noon, for 42.'),
    ]);
    const env = { ...openAi(model.url), FOLDER: folder.path };
    const args = ['ask', '--json', '--mcp', 'servers.json', 'When is lunch, and for how many?'];
    const { code, json } = await run(args, { cwd: folder.path, env });
    expect(code).toBe(0);
    expect(json[0]).toMatchObject({
      type: 'ready',
      servers: [
        { name: 'notes', tools: ['notes_read', 'notes_remove', 'notes_unsaid'] },
        { name: 'sums', tools: expect.arrayContaining(['sums_add']) },
      ],
      unreachable: [{ name: 'gone', reason: expect.stringContaining('cannot be reached') }],
    });
    expect(json.filter(({ type }) => type === 'tool')).toEqual([
      { type: 'tool', tool: 'notes_read', runs: true },
      { type: 'tool', tool: 'sums_add', runs: true },
    ]);
    expect(json.at(-1)).toMatchObject({ type: 'answer', text: 'At noon, for 42.' });
    expect(told(model.requests)).toEqual(['At noon.', expect.any(String)]);
    expect(server.connections).toBe(0);
    const pid = Number(await readFile(`${folder.path}/pid.txt`, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('refuses what may destroy something where nobody can be asked, unless --allow names it', async () => {
    await using folder = await temporaryFolder(configuration());
    const script = () => [call('notes_remove', { name: 'lunch' }), call('notes_unsaid'), says('Done.')];
    await using model = await startMockServer([...script(), ...script(), ...script()]);
    const ask = (...more: string[]) =>
      run(['ask', '--mcp', 'servers.json', ...more, 'Remove it'], { cwd: folder.path, env: openAi(model.url) });
    const refused = await ask();
    expect(refused).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(refused.err).toContain(
      'Not using notes_remove, which may destroy something: --allow notes_remove lets it\n',
    );
    // A tool that says nothing of itself may destroy something, by the protocol.
    expect(refused.err).toContain('Not using notes_unsaid');
    expect(told(model.requests)).toEqual([expect.stringContaining('nobody'), expect.stringContaining('nobody')]);
    expect(notes.size).toBe(1);
    const allowed = await ask('--allow', 'notes_remove, notes_read');
    expect(allowed.err).toContain('Using notes_remove\n');
    expect(allowed.err).toContain('Not using notes_unsaid');
    expect(notes.size).toBe(0);
    expect((await ask('--allow', 'all')).err).toContain('Using notes_unsaid\n');
  });

  it('asks at a terminal', async () => {
    await using folder = await temporaryFolder(configuration());
    const remove = call('notes_remove', { name: 'lunch' });
    await using model = await startMockServer([remove, says('Kept.'), remove, says('Gone.')]);
    const ask = async (typed: string): Promise<FakeIo> => {
      const io = fakeIo({ cwd: folder.path, env: openAi(model.url), terminal: true });
      const code = runCli(['ask', '--mcp', 'servers.json', 'Remove it'], io);
      await io.shown('Run it? [y/N] ');
      io.stdin.write(typed);
      expect(await code).toBe(0);
      return io;
    };
    expect((await ask('\n')).stdout.text).toMatch(
      /^\nThe tool notes_remove may destroy something\. It would be given {"name":"lunch"}\nRun it\? \[y\/N\] Kept\.\n$/,
    );
    expect([notes.size, told(model.requests)]).toEqual([1, [expect.stringContaining('said no')]]);
    expect((await ask('y\n')).stderr.text).toContain('Using notes_remove\n');
    expect(notes.size).toBe(0);
  });

  it('stops at Ctrl-C while it asks', async () => {
    await using folder = await temporaryFolder(configuration());
    await using model = await startMockServer([call('notes_remove', { name: 'lunch' })]);
    const io = fakeIo({ cwd: folder.path, env: openAi(model.url), terminal: true });
    const code = runCli(['ask', '--mcp', 'servers.json', 'Remove it'], io);
    await io.shown('Run it? [y/N] ');
    io.interrupt();
    expect(await code).toBe(130);
    expect([notes.size, server.connections]).toEqual([1, 0]);
  });

  it.each([
    [['--mcp', 'gone.json'], /^There is no file to read at gone\.json: check --mcp\.\n$/, 2],
    [['--mcp', 'broken.json'], /^broken\.json: .*is not JSON\.\n$/, 2],
    [['--mcp', 'wrong.json'], /^wrong\.json: mcpServers\.files\.command: is missing/, 2],
    [['--mcp', 'variable.json'], /^variable\.json: .*there is no variable NOT_SET_ANYWHERE/, 2],
    [['--mcp', 'empty.json'], /^empty\.json names no server/, 2],
    [['--mcp', 'a', '--mcp', 'b'], /^--mcp is there twice/, 2],
    [['--allow', 'x'], /^--allow is of no use without --mcp/, 2],
    [
      ['--mcp', 'servers.json', '--allow', 'notes_reed'],
      /^--allow notes_reed: there is no such tool, there are notes_read, /,
      2,
    ],
    [['--model', 'local', '--mcp', 'servers.json'], /^The embedded model uses no tools: choose another/, 2],
  ])('says before the first answer what is wrong: %j', async (args, sentence, code) => {
    await using folder = await temporaryFolder({
      ...configuration(),
      'broken.json': '{"mcpServers": {"a": {"env": {"KEY": "sk-secret"',
      'wrong.json': '{"mcpServers": {"files": {}}}',
      'variable.json': `{"mcpServers": {"files": {"command": "${variable('NOT_SET_ANYWHERE')}"}}}`,
      'empty.json': '{"mcpServers": {}}',
    });
    const ended = await run(['ask', ...args, 'q'], { cwd: folder.path, env: openAi('http://127.0.0.1:1') });
    expect([ended.code, ended.err]).toEqual([code, expect.stringMatching(sentence)]);
    expect(ended.err).not.toContain('sk-secret');
  });
});

describe('vernal chat --mcp', { timeout: LIMIT }, () => {
  it('asks at a terminal in the middle of an answer, and goes on with the conversation', async () => {
    await using folder = await temporaryFolder(configuration());
    const remove = call('notes_remove', { name: 'lunch' });
    await using model = await startMockServer([
      remove,
      says('Kept.'),
      remove,
      remove,
      says('Gone.'),
      says('Nothing is left.'),
    ]);
    const io = fakeIo({ cwd: folder.path, env: openAi(model.url), terminal: true });
    const code = runCli(['chat', '--mcp', 'servers.json'], io);
    await io.shown('> ');
    io.stdin.write('Remove it\r');
    await io.shown('Run it? [y/N] ');
    io.stdin.write('no\r');
    await io.shown('Kept.');
    await io.shown('> ', 2);
    // Ctrl-C at the question stops the answer, not the conversation.
    io.stdin.write('Remove it now\r');
    await io.shown('Run it? [y/N] ', 2);
    io.stdin.write('\u0003');
    await io.shown('(stopped)');
    expect(notes.size).toBe(1);
    await io.shown('> ', 3);
    io.stdin.write('Remove it at last\r');
    await io.shown('Run it? [y/N] ', 3);
    io.stdin.write('y\r');
    await io.shown('Gone.');
    expect(notes.size).toBe(0);
    await io.shown('> ', 4);
    io.stdin.write('What is left?\r');
    await io.shown('Nothing is left.');
    io.stdin.write('\u0004');
    expect(await code).toBe(0);
    expect(server.connections).toBe(0);
    model.assertComplete();
  });

  it('answers what was piped in before its servers were there', async () => {
    await using folder = await temporaryFolder(configuration());
    const read = call('notes_read', { name: 'lunch' });
    await using model = await startMockServer([read, says('First.'), says('Second.')]);
    const io = fakeIo({ cwd: folder.path, env: openAi(model.url) });
    const code = runCli(['chat', '--mcp', 'servers.json'], io);
    io.stdin.end('When?\nAnd then?\n');
    expect(await code).toBe(0);
    expect(io.stdout.text).toMatch(/First\.\n[\s\S]*Second\.\n$/);
    model.assertComplete();
  });

  it('goes on with the tools of a server that was started again meanwhile', async () => {
    await using folder = await temporaryFolder(configuration());
    const read = call('notes_read', { name: 'lunch' });
    await using model = await startMockServer([read, says('First.'), read, says('Second.')]);
    const io = fakeIo({ cwd: folder.path, env: openAi(model.url) });
    const code = runCli(['chat', '--json', '--mcp', 'servers.json'], io);
    io.stdin.write('One\n');
    await io.shown('"type":"answer"');
    const { port } = served;
    await served.close();
    served = await serveMcpHttp(server, { port });
    io.stdin.end('Two\n');
    expect(await code).toBe(0);
    expect(io.json().filter(({ type }) => type === 'answer')).toMatchObject([{ text: 'First.' }, { text: 'Second.' }]);
    expect(told(model.requests)).toEqual(['At noon.', 'At noon.']);
  });
});

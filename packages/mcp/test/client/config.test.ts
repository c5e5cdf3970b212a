import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpConnections } from '@vernal/mcp';
import { mcpConnectionsFrom, mcpServersFrom, readMcpServers } from '@vernal/mcp/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedHttp, serveHttp } from './plain-server.mjs';
import { PLAIN } from './spawned-server.js';

const LIMIT = 60_000;

/** A place for a variable. */
const place = (name: string): string => `$\{${name}}`;
let folder: string;
let server: ServedHttp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vernal-mcp-'));
  server = await serveHttp();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('a file as Claude Desktop has it', () => {
  test('starts and reaches its servers', { timeout: LIMIT }, async () => {
    const path = join(folder, 'servers.json');
    const config = {
      mcpServers: {
        here: { command: place('NODE'), args: [PLAIN, place('MODE:-stdio')], env: { LEVEL: '1' } },
        there: { url: server.url, headers: { 'x-key': `Key ${place('KEY')}` } },
        off: { command: 'never', disabled: true },
      },
    };
    await writeFile(path, `\uFEFF${JSON.stringify(config)}`);
    const servers = await readMcpServers(path, { variables: { NODE: process.execPath, KEY: 'k1' } });
    expect(Object.keys(servers)).toEqual(['here', 'there']);
    await using connections = new McpConnections(servers);
    expect(await connections.connect()).toEqual([]);
    expect((await connections.get('here').callTool('add', { a: 1, b: 2 })).content).toHaveLength(1);
    expect((await connections.get('there').callTool('add', { a: 1, b: 2 })).content).toHaveLength(1);
    expect(server.requests.every(({ headers }) => headers['x-key'] === 'Key k1')).toBe(true);
  });

  test('says what is wrong with it, and shows no value', async () => {
    const wrong = (config: unknown) => () => mcpServersFrom(config);
    expect(wrong({ servers: { a: { command: 'x', url: 'http://h' } } })).toThrow(
      /mcpServers\.a\.url: give `command` or `url`/,
    );
    expect(wrong({ mcpServers: { a: {} } })).toThrow(/mcpServers\.a\.command: is missing/);
    expect(wrong({ mcpServers: { a: { command: 'x', args: ['y', 7] } } })).toThrow(/args\[1\]: must be a text/);
    expect(wrong({ mcpServers: { a: { url: 'ftp://h' } } })).toThrow(/mcpServers\.a\.url: must be an address/);
    expect(wrong({ mcpServers: { a: { command: place('GONE') } } })).toThrow(/no variable GONE/);
    expect(wrong([])).toThrow(/mcpServers/);
    expect(wrong({ a: 1 })).toThrow(/mcpServers/);
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{"mcpServers": {"a": {"env": {"KEY": "sk-secret"');
    const error = await readMcpServers(broken).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_argument' });
    expect(String(error)).not.toContain('sk-secret');
    await expect(readMcpServers(join(folder, 'gone.json'))).rejects.toMatchObject({ code: 'resource' });
    await expect(readMcpServers(broken, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('properties', () => {
  test('in both spellings, with a file that they win over', { timeout: LIMIT }, async () => {
    const path = join(folder, 'base.json');
    await writeFile(path, JSON.stringify({ anything: { local: { command: 'vernal-no-such-program' } } }));
    const { origin } = new URL(server.url);
    await using connections = await mcpConnectionsFrom({
      name: 'app',
      version: '2.0.0',
      'request-timeout': '30s',
      stdio: {
        'servers-configuration': path,
        connections: { local: { command: process.execPath, args: [PLAIN, 'stdio'] } },
      },
      'streamable-http': { connections: { web: { url: origin }, whole: { url: server.url, endpoint: '/mcp' } } },
    });
    expect([...connections].map(({ name, connected }) => [name, connected])).toEqual([
      ['local', true],
      ['web', true],
      ['whole', true],
    ]);
  });

  test('that are off, or late', { timeout: LIMIT }, async () => {
    await using none = await mcpConnectionsFrom({ enabled: false, stdio: { connections: { a: { command: 'x' } } } });
    expect([...none]).toEqual([]);
    await using later = await mcpConnectionsFrom({
      initialized: false,
      streamableHttp: { connections: { web: { url: server.url } } },
    });
    expect(later.get('web').connected).toBe(false);
    expect((await later.get('web').listTools()).length).toBeGreaterThan(3);
  });

  test('a dead server does not stop the start', { timeout: LIMIT }, async () => {
    await using connections = await mcpConnectionsFrom({
      stdio: { connections: { dead: { command: 'vernal-no-such-program' } } },
      streamableHttp: { connections: { web: { url: server.url } } },
    });
    expect(connections.get('dead').connected).toBe(false);
    expect(connections.get('web').connected).toBe(true);
  });

  test('that cannot be right', async () => {
    const url = server.url;
    await expect(mcpConnectionsFrom({ typo: 1 })).rejects.toThrow(/mcp\.client\.typo: is no property/);
    await expect(mcpConnectionsFrom({ requestTimeout: 'soon' })).rejects.toThrow(/requestTimeout/);
    await expect(mcpConnectionsFrom({ sse: { connections: { a: { url: 'host' } } } })).rejects.toThrow(
      /sse\.connections\.a\.url/,
    );
    await expect(
      mcpConnectionsFrom({ sse: { connections: { a: { url } } }, streamableHttp: { connections: { a: { url } } } }),
    ).rejects.toThrow(/another connection has this name/);
  });
});

test('names that every object has are names as others', async () => {
  const config = { mcpServers: { a: { command: place('constructor') } } };
  expect(() => mcpServersFrom(config, { variables: {} })).toThrow(/no variable constructor/);
  expect(() => mcpServersFrom(config, { variables: process.env })).toThrow(/no variable constructor/);
  expect(Object.keys(mcpServersFrom(config, { variables: { constructor: 'x' } }))).toEqual(['a']);
  const urls = JSON.parse('{"constructor": {"url": "http://a.b"}, "__proto__": {"url": "http://a.b"}}');
  const commands = JSON.parse('{"toString": {"command": "a"}}');
  await using connections = await mcpConnectionsFrom({
    initialized: false,
    sse: { connections: urls },
    stdio: { connections: commands },
  });
  expect([...connections].map(({ name }) => name)).toEqual(['toString', 'constructor', '__proto__']);
  expect(connections.get('__proto__').name).toBe('__proto__');
  const twice = { initialized: false, sse: { connections: urls }, streamableHttp: { connections: urls } };
  await expect(mcpConnectionsFrom(twice)).rejects.toThrow(/another connection has this name/);
});

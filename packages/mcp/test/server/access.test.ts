import { PassThrough } from 'node:stream';
import type { Logger } from '@vernal/core';
import {
  type McpHttpHandler,
  type McpServerOptions,
  mcpHttpHandler,
  mcpPrompt,
  mcpResource,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { serveMcpStdio } from '@vernal/mcp/node';
import { afterEach, describe, expect, it } from 'vitest';
import { connectClient, type Era } from './connect-client.js';
import { readUntil, request, startSession } from './raw-http.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function served(options: McpServerOptions): { server: ReturnType<typeof mcpServer>; handler: McpHttpHandler } {
  const server = mcpServer(options);
  open.push(() => server.close());
  const authenticate = ({ headers }: Request) => ({ subject: headers.get('x-key') ?? '' });
  return { server, handler: mcpHttpHandler(server, { auth: { authenticate } }) };
}

const as = (who: string): { headers: Record<string, string> } => ({ headers: { 'x-key': who } });

const secrets: McpServerOptions = {
  resources: [
    mcpResource({ uri: 's://secret', read: () => 'x' }),
    mcpResource({ uri: 's://open', read: () => 'x' }),
    mcpResource({ uri: 's://scoped', scopes: ['admin'], read: () => 'x' }),
    mcpResource({ uri: 'many://{n}', read: () => 'x' }),
  ],
  authorize: ({ name, principal }) => name !== 's://secret' || principal?.subject === 'ann',
  maxSubscriptions: 3,
};

async function watch(client: Awaited<ReturnType<typeof connectClient>>, era: Era, uri: string): Promise<void> {
  if (era === 'legacy') await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
}

describe('watching a resource', () => {
  it.each(['legacy', 'modern'] as const)('takes the right to read it (%s)', async (era) => {
    const { server, handler } = served(secrets);
    const [ann, bob] = [await connectClient(handler, era, as('ann')), await connectClient(handler, era, as('bob'))];
    open.push(
      () => ann.close(),
      () => bob.close(),
    );
    for (const uri of ['s://secret', 's://nothing', `many://${'x'.repeat(9_000)}`])
      await expect(watch(bob, era, uri)).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining('not found'),
      });
    await expect(watch(bob, era, 's://scoped')).rejects.toMatchObject({ name: 'ProtocolError' });
    const heard: string[] = [];
    const done = [ann, bob].map(
      (client, index) =>
        new Promise<void>((resolve) =>
          client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
            heard.push(`${index === 0 ? 'ann' : 'bob'} ${params.uri}`);
            if (params.uri === 's://open') resolve();
          }),
        ),
    );
    await watch(ann, era, 's://secret');
    await watch(ann, era, 's://open');
    await watch(bob, era, 's://open');
    await server.resourceUpdated('s://secret');
    await server.resourceUpdated('s://open');
    await Promise.all(done);
    expect(heard.sort()).toEqual(['ann s://open', 'ann s://secret', 'bob s://open']);
  });

  it('is for so many at a time, sessions', async () => {
    const client = await connectClient(served(secrets).handler, 'legacy', as('bob'));
    open.push(() => client.close());
    for (const n of [1, 2, 3, 3]) await client.subscribeResource({ uri: `many://${n}` });
    await expect(client.subscribeResource({ uri: 'many://4' })).rejects.toThrow('At most 3 resources');
    await client.unsubscribeResource({ uri: 'many://1' });
    await client.subscribeResource({ uri: 'many://4' });
  });

  it('is for so many at a time, without sessions, and of several those that may be', async () => {
    const { handler } = served(secrets);
    const listen = (resourceSubscriptions: string[]): Promise<Response> =>
      handler.fetch(
        request(
          'POST',
          { 'x-key': 'bob', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
          {
            jsonrpc: '2.0',
            id: 'l',
            method: 'subscriptions/listen',
            params: {
              notifications: { resourceSubscriptions },
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          },
        ),
      );
    const many = await readUntil(await listen(Array.from({ length: 50 }, (_, n) => `many://${n}`)), '\n\n');
    expect(many).toContain('"resourceSubscriptions":["many://0","many://1","many://2"]');
    const some = await readUntil(await listen(['s://secret', 's://open', 's://scoped']), '\n\n');
    expect(some).toContain('"resourceSubscriptions":["s://open"]');
  });

  it('over stdio is told of what may be read alone', async () => {
    const { server } = served(secrets);
    const [input, output] = [new PassThrough(), new PassThrough()];
    const connection = serveMcpStdio(server, { input, output });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { resourceSubscriptions: ['s://secret', 's://open'] };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications, _meta } };
    input.write(`${JSON.stringify(listen)}\n`);
    let said = '';
    const until = async (text: string): Promise<void> => {
      while (!said.includes(text)) {
        const piece: unknown = output.read();
        if (piece === null) await new Promise((resolve) => output.once('readable', resolve));
        else said += String(piece);
      }
    };
    await until('acknowledged');
    said = '';
    await server.resourceUpdated('s://secret');
    await server.resourceUpdated('s://open');
    await until('s://open');
    expect(said).not.toContain('s://secret');
    await connection.close();
  });
});

describe('what is hidden', () => {
  const options: McpServerOptions = {
    tools: [mcpTool({ name: 'hidden', scopes: ['admin:secret'], execute: () => 'x' })],
    resources: [mcpResource({ uri: 'h://hidden', scopes: ['admin:secret'], read: () => 'x' })],
    prompts: [mcpPrompt({ name: 'hidden', scopes: ['admin:secret'], render: () => 'x' })],
    authorize: ({ principal }) => principal?.subject === 'ann',
  };

  it.each([
    ['tools/call', 'name', 'hidden', 'absent'],
    ['resources/read', 'uri', 'h://hidden', 'h://absent'],
    ['prompts/get', 'name', 'hidden', 'absent'],
  ])('does not show itself by the scopes that it needs: %s', async (method, key, hidden, absent) => {
    const { handler } = served(options);
    const ask = async (who: string, value: string): Promise<Response> => {
      const headers = { 'x-key': who, ...(await startSession(handler, { 'x-key': who })) };
      return handler.fetch(request('POST', headers, { jsonrpc: '2.0', id: 2, method, params: { [key]: value } }));
    };
    const askModern = (who: string, value: string): Promise<Response> =>
      handler.fetch(
        request(
          'POST',
          { 'x-key': who, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': value },
          {
            jsonrpc: '2.0',
            id: 2,
            method,
            params: {
              [key]: value,
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          },
        ),
      );
    for (const asked of [ask, askModern]) {
      const [one, other] = [await asked('bob', hidden), await asked('bob', absent)];
      expect(one.status).toBe(other.status);
      expect(one.headers.get('www-authenticate')).toBeNull();
      expect((await one.text()).replaceAll(hidden, '?')).toBe((await other.text()).replaceAll(absent, '?'));
      const challenged = await asked('ann', hidden);
      expect(challenged.status).toBe(403);
      expect(challenged.headers.get('www-authenticate')).toContain('admin:secret');
    }
  });
});

describe('an authorize that throws', () => {
  it.each(['legacy', 'modern'] as const)('is a no, for lists as for calls (%s)', async (era) => {
    const warned: unknown[] = [];
    const logger: Logger = { debug: () => {}, info: () => {}, warn: (...all) => warned.push(all) };
    const { handler } = served({
      logger,
      tools: ['a', 'b'].map((name) => mcpTool({ name, execute: () => name })),
      resources: [mcpResource({ uri: 'r://a', read: () => 'x' })],
      prompts: [mcpPrompt({ name: 'a', render: () => 'x' })],
      authorize: async ({ name }) => {
        if (name !== 'b') throw new Error('password of the database');
        return true;
      },
    });
    const client = await connectClient(handler, era, as('bob'));
    open.push(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['b']);
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.callTool({ name: 'b' })).content).toEqual([{ type: 'text', text: 'b' }]);
    await expect(client.callTool({ name: 'a' })).rejects.toThrow('Tool a not found');
    await expect(client.getPrompt({ name: 'a' })).rejects.toThrow('Prompt a not found');
    await expect(client.readResource({ uri: 'r://a' })).rejects.toMatchObject({ code: -32_602 });
    expect(warned).not.toEqual([]);
    expect(JSON.stringify(warned)).not.toContain('password');
  });
});

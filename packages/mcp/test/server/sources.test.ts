import type { Client } from '@modelcontextprotocol/client';
import { ChatClient } from '@vernal/client-chat';
import { bytesResource, document, type ToolCallback, tool, userMessage } from '@vernal/core';
import {
  describeMcpTool,
  type McpServer,
  type McpServerOptions,
  markMcpClientTool,
  mcpPrompt,
  mcpResource,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { ScriptedChatModel } from '@vernal/testing';
import type { VectorStoreRetriever } from '@vernal/vector-store';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectClient, handlerOf } from './connect-client.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serve(options: McpServerOptions): Promise<{ client: Client; server: McpServer }> {
  const server = mcpServer(options);
  const client = await connectClient(handlerOf(server), 'legacy');
  open.push(
    () => server.close(),
    () => client.close(),
  );
  return { client, server };
}

const named = (name: string, result = name): ToolCallback => tool({ name, execute: () => result });

describe('tools of a server', () => {
  it('are chat clients', async () => {
    const assistant = ChatClient.create(new ScriptedChatModel(['It is raining.']));
    const { client } = await serve({ chatClients: { assistant: { client: assistant, description: 'Answers' } } });
    expect((await client.listTools()).tools).toMatchObject([{ name: 'assistant', description: 'Answers' }]);
    expect(await client.callTool({ name: 'assistant', arguments: { input: 'Weather?' } })).toMatchObject({
      content: [{ text: 'It is raining.' }],
    });
  });

  it('are vector stores, whose filter is not the model’s', async () => {
    const requests: unknown[] = [];
    const store: VectorStoreRetriever = {
      similaritySearch: async (request) => {
        requests.push(request);
        return [
          {
            ...document({ id: 'a', text: 'Holidays: 25 days', metadata: { page: 3, tenant: 'acme', distance: 0.1 } }),
            score: 0.9,
            format: { excludedInferenceMetadataKeys: ['tenant'] },
          },
        ];
      },
    };
    const { client } = await serve({
      vectorStores: { handbook: { store, filterExpression: "tenant == 'acme'", maxTopK: 8 } },
    });
    const found = await client.callTool({ name: 'handbook', arguments: { query: 'holidays', topK: 2 } });
    expect(requests).toMatchObject([{ query: 'holidays', topK: 2, filterExpression: "tenant == 'acme'" }]);
    expect(found.structuredContent).toEqual({
      documents: [{ id: 'a', text: 'Holidays: 25 days', score: 0.9, metadata: { page: 3 } }],
    });
    expect(JSON.stringify(found.content)).not.toContain('acme');
    expect(found.content).toMatchObject([{ text: '[1] page: 3\n\nHolidays: 25 days' }]);
    const { client: quiet } = await serve({ vectorStores: { handbook: { store, metadata: false } } });
    const { content } = await quiet.callTool({ name: 'handbook', arguments: { query: 'holidays' } });
    expect(content).toMatchObject([{ text: '[1] Holidays: 25 days' }]);
    const greedy = await client.callTool({ name: 'handbook', arguments: { query: 'x', topK: 9, filter: 'y' } });
    expect(greedy.isError).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('refuse two of one name; of provided ones the first counts', async () => {
    expect(() => mcpServer({ tools: [named('same'), named('same')] })).toThrow(/two are called 'same'/);
    const warnings: string[] = [];
    const { client } = await serve({
      tools: [named('same', 'first'), { toolCallbacks: () => [named('same', 'second'), named('other')] }],
      logger: { debug: () => {}, info: () => {}, warn: (message) => void warnings.push(message) },
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['same', 'other']);
    expect(await client.callTool({ name: 'same' })).toMatchObject({ content: [{ text: 'first' }] });
    expect(warnings[0]).toContain("'same'");
  });

  it('leave out those of other servers unless they are wanted', async () => {
    const foreign = (): ToolCallback => markMcpClientTool(named('foreign'));
    const shy = await serve({ tools: [foreign(), named('own'), { toolCallbacks: () => [foreign()] }] });
    expect((await shy.client.listTools()).tools.map(({ name }) => name)).toEqual(['own']);
    const open = await serve({ tools: [foreign(), named('own')], exposeMcpClientTools: true });
    expect((await open.client.listTools()).tools.map(({ name }) => name)).toEqual(['foreign', 'own']);
  });

  it('are described for MCP, give images as images and get the application’s values', async () => {
    const seen: unknown[] = [];
    const plain = tool({ name: 'plain', execute: (_, { values }) => void seen.push(values['tenant']) });
    const { client } = await serve({
      tools: [
        describeMcpTool(plain, { title: 'Plain', annotations: { idempotentHint: true } }),
        named('picture', 'aGk='),
      ],
      toolResponseMimeTypes: { picture: 'image/png' },
      toolContext: ({ meta }) => ({ tenant: meta['tenant'] }),
    });
    expect((await client.listTools()).tools[0]).toMatchObject({
      title: 'Plain',
      annotations: { idempotentHint: true },
    });
    expect(await client.callTool({ name: 'plain', _meta: { tenant: 'acme' } })).toMatchObject({
      content: [{ text: 'Done' }],
    });
    expect(seen).toEqual(['acme']);
    expect(await client.callTool({ name: 'picture' })).toMatchObject({
      content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png', annotations: { audience: ['assistant'] } }],
    });
  });

  it('with an output schema are held to it', async () => {
    const { client } = await serve({
      tools: [mcpTool({ name: 'wrong', output: z.object({ n: z.number().max(3) }), execute: () => ({ n: 9 }) })],
    });
    const wrong = await client.callTool({ name: 'wrong' });
    expect(wrong.isError).toBe(true);
    expect(JSON.stringify(wrong)).toContain('does not fit its output schema');
  });

  it('work without a server, where nobody can be asked', async () => {
    const asking = mcpTool({
      name: 'ask',
      execute: async (_, { exchange }) =>
        exchange.samplingEnabled ? 'asked' : exchange.sample('?').catch(() => 'nobody'),
    });
    expect(await asking.call('{}')).toBe('nobody');
  });

  it('end by the server’s time-out', async () => {
    const { client } = await serve({
      callTimeoutMs: 20,
      tools: [
        mcpTool({
          name: 'slow',
          execute: (_, { signal }) =>
            new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        }),
      ],
    });
    expect(await client.callTool({ name: 'slow' })).toMatchObject({
      content: [{ text: 'tools/call slow took longer than 20 ms' }],
      isError: true,
    });
  });

  it('never let out what a foreign error says', async () => {
    const leak = (): never => {
      throw Object.assign(new Error('password=hunter2'), { code: 7 });
    };
    const failing: McpServerOptions[] = [{ tools: named('x'), toolContext: leak }, { tools: { toolCallbacks: leak } }];
    for (const options of failing) {
      const { client } = await serve(options);
      await expect(client.callTool({ name: 'x' })).rejects.toThrow(/^(?!.*hunter2).*tools\/call x failed \(Error\)/);
    }
  });

  it.each(['toString', 'constructor', '__proto__'])('may be called %s beside MIME types of others', async (name) => {
    const { client } = await serve({ tools: named(name), toolResponseMimeTypes: { other: 'image/png' } });
    expect(await client.callTool({ name })).toMatchObject({ content: [{ type: 'text' }] });
  });

  it('see the client cancel', async () => {
    let aborted: () => void = () => {};
    const saw = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const client = new AbortController();
    const served = await serve({
      tools: [
        mcpTool({
          name: 'long',
          execute: (_, { signal }) => {
            signal.addEventListener('abort', () => aborted());
            client.abort();
            return new Promise(() => {});
          },
        }),
      ],
    });
    await expect(served.client.callTool({ name: 'long' }, { signal: client.signal })).rejects.toThrow();
    await saw;
  });
});

describe('lists of a server', () => {
  it('come in pages, and a foreign cursor is refused', async () => {
    const { client } = await serve({ pageSize: 2, tools: ['a', 'b', 'c'].map((name) => named(name)) });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const first = await client.request({ method: 'tools/list', params: {} });
    expect(first.tools).toHaveLength(2);
    expect((await client.request({ method: 'tools/list', params: { cursor: first.nextCursor } })).tools).toHaveLength(
      1,
    );
    await expect(client.request({ method: 'tools/list', params: { cursor: '-1' } })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it.each(['legacy', 'modern'] as const)(
    'that change are told to a %s client, and so is what it watches',
    async (era) => {
      const tools = [named('one')];
      const server = mcpServer({
        tools: { toolCallbacks: () => tools },
        resources: [
          mcpResource({ uri: 'a://watched', read: () => 'x' }),
          mcpResource({ uri: 'a://other', read: () => 'x' }),
        ],
      });
      const client = await connectClient(handlerOf(server), era);
      open.push(
        () => server.close(),
        () => client.close(),
      );
      const told: string[] = [];
      const done = new Promise<void>((resolve) => {
        client.setNotificationHandler('notifications/tools/list_changed', () => void told.push('tools'));
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          told.push(params.uri);
          resolve();
        });
      });
      if (era === 'legacy') await client.subscribeResource({ uri: 'a://watched' });
      else await client.listen({ toolsListChanged: true, resourceSubscriptions: ['a://watched'] });
      tools.push(named('two'));
      await server.toolsChanged();
      await server.resourceUpdated('a://other');
      await server.resourceUpdated('a://watched');
      await done;
      expect(told).toEqual(['tools', 'a://watched']);
      // A stream of news holds no server of its own.
      expect(server.connections).toBe(era === 'legacy' ? 1 : 0);
      expect((await client.listTools()).tools).toHaveLength(2);
    },
  );
});

describe('resources and prompts', () => {
  it('are given as resources, media, messages and prompts of the application', async () => {
    const { client } = await serve({
      resources: [
        mcpResource({
          uri: 'a://text',
          read: () => bytesResource(new TextEncoder().encode('{"a":1}'), { mimeType: 'application/json' }),
        }),
        () => [
          mcpResource({
            uri: 'a://provided',
            read: () => ({ contents: [{ uri: 'a://elsewhere', text: 'as it is' }] }),
          }),
        ],
      ],
      prompts: [
        mcpPrompt({
          name: 'chat',
          render: () => [
            userMessage('Look', { media: [{ mimeType: 'image/png', source: { type: 'base64', base64: 'aGk=' } }] }),
          ],
        }),
      ],
    });
    expect((await client.readResource({ uri: 'a://text' })).contents).toEqual([
      { uri: 'a://text', mimeType: 'application/json', text: '{"a":1}' },
    ]);
    expect((await client.readResource({ uri: 'a://provided' })).contents).toEqual([
      { uri: 'a://elsewhere', text: 'as it is' },
    ]);
    expect((await client.getPrompt({ name: 'chat' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Look' } },
      { role: 'user', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
    ]);
  });

  it('refuse what cannot be right', () => {
    expect(() => mcpResource({ uri: 'no uri', read: () => '' })).toThrow(/uri/);
    expect(() => mcpResource({ uri: 'a://{open', read: () => '' })).toThrow(/uri/);
    expect(() => mcpPrompt({ name: ' ', render: () => '' })).toThrow(/name/);
    expect(() => mcpServer({ pageSize: 0 })).toThrow(/pageSize/);
    expect(() => mcpServer({ components: [{}] })).toThrow(/no @Tool methods/);
  });
});

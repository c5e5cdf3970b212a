// A server of the official SDK with a bit of everything, in this process or in one of its own: `node plain-server.mjs stdio|http`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import {
  completable,
  McpServer,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** What a test may look at afterwards. */
export function plainServer(seen = {}) {
  const server = new McpServer(
    { name: 'plain', version: '1.2.3' },
    { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } }, instructions: 'Be plain.' },
  );
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  const note = (key, value) => {
    seen[key] = [...(seen[key] ?? []), value];
  };
  server.registerTool(
    'add',
    {
      description: 'Adds',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }, context) => {
      note('meta', context.mcpReq._meta);
      return text(String(a + b));
    },
  );
  server.registerTool(
    'measure',
    { description: 'Measures', outputSchema: z.object({ celsius: z.number() }) },
    async () => ({ content: [], structuredContent: { celsius: 21.5 } }),
  );
  server.registerTool('fail', { description: 'Fails', inputSchema: z.object({}) }, async () => {
    throw new Error('no paper');
  });
  server.registerTool('paint', { description: 'Paints', annotations: { destructiveHint: true } }, async () => ({
    content: [
      { type: 'text', text: 'a pixel' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', resource: { uri: 'mem://note', text: 'noted' } },
      { type: 'resource', resource: { uri: 'mem://blob', blob: PIXEL, mimeType: 'image/png' } },
    ],
  }));
  server.registerTool('steps', { description: 'Tells its progress' }, async (context) => {
    const token = context.mcpReq._meta?.progressToken;
    for (const progress of [1, 2, 3]) {
      if (token !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
        });
    }
    return text('walked');
  });
  server.registerTool('wait', { description: 'Waits until it is cancelled' }, async (context) => {
    note('waiting', true);
    seen.onWaiting?.();
    await new Promise((resolve) => context.mcpReq.signal.addEventListener('abort', resolve, { once: true }));
    note('cancelled', true);
    seen.onCancelled?.();
    return text('never read');
  });
  server.registerTool('log', { description: 'Logs' }, async (context) => {
    await context.mcpReq.log('warning', { paper: 'low' }, 'printer');
    return text('logged');
  });
  server.registerTool(
    'ask-model',
    { description: 'Samples', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const answer = await context.mcpReq.requestSampling({
        systemPrompt: 'Be brief.',
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 50,
      });
      return text(JSON.stringify(answer));
    },
  );
  server.registerTool('ask-user', { description: 'Elicits' }, async (context) => {
    const answer = await context.mcpReq.elicitInput({
      message: 'Which paper?',
      requestedSchema: {
        type: 'object',
        properties: { size: { type: 'string', enum: ['A4', 'A5'] }, copies: { type: 'integer', default: 1 } },
        required: ['size'],
      },
    });
    return text(JSON.stringify(answer));
  });
  server.registerTool('ask-roots', { description: 'Lists roots' }, async (context) => {
    const { roots } = await context.mcpReq.send({ method: 'roots/list' });
    return text(roots.map(({ uri }) => uri).join(' '));
  });
  server.registerTool('grow', { description: 'Adds a tool' }, async () => {
    seen.grown = (seen.grown ?? 0) + 1;
    server.registerTool(`grown${seen.grown}`, { description: 'Grown' }, async () => text('grown'));
    return text('grew');
  });
  server.registerTool('touch', { description: 'Changes a resource' }, async () => {
    await server.server.sendResourceUpdated({ uri: 'mem://note' });
    server.sendResourceListChanged();
    return text('touched');
  });
  server.registerTool('die', { description: 'Ends its process' }, async () => process.exit(3));
  server.registerTool('pid', { description: 'Its process' }, async () => text(String(process.pid)));
  server.registerResource('note', 'mem://note', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'noted', mimeType: 'text/plain' }],
  }));
  server.registerResource(
    'page',
    new ResourceTemplate('mem://page/{number}', { list: undefined, complete: { number: () => ['1', '2'] } }),
    {},
    async (uri, { number }) => ({ contents: [{ uri: uri.href, text: `page ${number}` }] }),
  );
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    note('subscribed', params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    note('unsubscribed', params.uri);
    return {};
  });
  server.registerPrompt(
    'review',
    {
      description: 'Reviews',
      argsSchema: z.object({
        language: completable(z.string(), (value) => ['typescript', 'rust'].filter((one) => one.startsWith(value))),
      }),
    },
    ({ language }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Review this ${language}` } },
        { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
      ],
    }),
  );
  return server;
}

/** Sessions over streamable HTTP on a port of its own. `headers` are those of each request. */
export async function serveHttp({ port = 0, seen = {}, json = false, make = () => plainServer(seen) } = {}) {
  const sessions = new Map();
  const requests = [];
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    requests.push({ method: request.method, headers: request.headers });
    const id = headers.get('mcp-session-id');
    let transport = sessions.get(id);
    if (id !== null && transport === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}');
      return;
    }
    if (transport === undefined) {
      transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        onsessioninitialized: (session) => void sessions.set(session, transport),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      await make().connect(transport);
    }
    const body = request.method === 'POST' ? Buffer.concat(chunks) : undefined;
    const answer = await transport.handleRequest(
      new Request(`http://127.0.0.1${request.url}`, { method: request.method, headers, body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (answer.body === null) return void response.end();
    const reader = answer.body.getReader();
    response.on('close', () => void reader.cancel().catch(() => {}));
    for (let part = await reader.read(); !part.done; part = await reader.read()) response.write(part.value);
    response.end();
  });
  await new Promise((resolve, reject) => http.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    port: http.address().port,
    requests,
    sessions,
    forgetSessions: () => sessions.clear(),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'stdio') await plainServer().connect(new StdioServerTransport());
  else process.stdout.write(`${(await serveHttp({ port: Number(process.argv[3] ?? 0) })).url}\n`);
}

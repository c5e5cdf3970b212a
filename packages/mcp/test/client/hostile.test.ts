import { fileURLToPath } from 'node:url';
import { ToolExecutionError, VernalError } from '@vernal/core';
import { connectMcp, type McpConnection, mcpTools, sseTransport, streamableHttpTransport } from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { afterEach, describe, expect, test } from 'vitest';
import { serverOf } from './in-process-server.js';
import { answerOf, type ScriptedCase, scriptedHttp } from './scripted-server.mjs';

const LIMIT = 60_000;
const SCRIPTED = fileURLToPath(new URL('./scripted-server.mjs', import.meta.url));

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
}, LIMIT);

async function overStdio(name: string, maxMessageBytes?: number): Promise<McpConnection> {
  const transport = stdioTransport({ command: process.execPath, args: [SCRIPTED, name], maxMessageBytes });
  const connection = await connectMcp({ name: 'evil', transport, requestTimeoutMs: LIMIT });
  open.push(connection);
  return connection;
}

async function overHttp(
  name: ScriptedCase,
  respond?: Parameters<typeof scriptedHttp>[1],
  options: Parameters<typeof streamableHttpTransport>[1] = {},
): Promise<McpConnection> {
  const server = await scriptedHttp(name, respond);
  open.push(server);
  const connection = await connectMcp({
    name: 'evil',
    transport: streamableHttpTransport(server.url, options),
    requestTimeoutMs: LIMIT,
    reconnect: { maxAttempts: 2, initialDelayMs: 1 },
  });
  open.push(connection);
  return connection;
}

describe('a message that is too large', () => {
  test('over stdio ends the process, which starts again', { timeout: LIMIT }, async () => {
    const connection = await overStdio('hugeText', 1_000_000);
    await expect(connection.callTool('big')).rejects.toMatchObject({
      code: 'mcp_response',
      subject: 'maxMessageBytes',
    });
    expect((await connection.callTool('small')).content).toEqual([{ type: 'text', text: 'small' }]);
  });

  test('over HTTP ends the call, whatever length was announced', { timeout: LIMIT }, async () => {
    let mode = 'announced';
    const connection = await overHttp(
      'hugeText',
      (request, response) => {
        if (request.method !== 'tools/call' || request.params?.['name'] === 'small') return false;
        const text = JSON.stringify(answerOf('hugeText', request));
        if (mode === 'announced')
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
        else if (mode === 'chunked') response.writeHead(200, { 'content-type': 'application/json' });
        else response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(mode === 'stream' ? `event: message\ndata: ${text}\n\n` : text);
        return true;
      },
      { maxMessageBytes: 1_000_000 },
    );
    for (mode of ['announced', 'chunked', 'stream']) {
      await expect(connection.callTool('big'), mode).rejects.toMatchObject({
        code: 'mcp_response',
        subject: 'maxMessageBytes',
      });
      expect((await connection.callTool('small')).content, mode).toHaveLength(1);
    }
  });

  test('many small events of one stream are not one large message', { timeout: LIMIT }, async () => {
    const connection = await overHttp(
      'hugeText',
      (request, response) => {
        if (request.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let i = 0; i < 200; i++) response.write(`: ${'.'.repeat(1_000)}\r\n\r\n`);
        response.end(`data: ${JSON.stringify(answerOf('hugeText', { ...request, params: { name: 'small' } }))}\n\n`);
        return true;
      },
      { maxMessageBytes: 10_000 },
    );
    expect((await connection.callTool('small')).content).toHaveLength(1);
  });

  test('nor are they when lines end between two chunks', { timeout: LIMIT }, async () => {
    const text = (id: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } });
    const pieces = (end: string): readonly string[] =>
      Array.from({ length: 200 }, () => [`: ${'.'.repeat(100)}`, ...end, ...end]).flat();
    let end = '\r\n';
    const connection = await overHttp('hugeText', undefined, {
      maxMessageBytes: 5_000,
      fetch: async (url, init) => {
        const request = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
        if (request.method !== 'tools/call') return await fetch(url, init);
        const whole = request.params.name === 'large' ? [`: ${'.'.repeat(5_000)}`] : [];
        const chunks = [...pieces(end), ...whole, `data: ${text(request.id)}${end}${end}`].values();
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            const { value, done } = chunks.next();
            if (done) controller.close();
            else controller.enqueue(new TextEncoder().encode(value));
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    for (end of ['\r\n', '\n']) {
      expect((await connection.callTool('small')).content, JSON.stringify(end)).toHaveLength(1);
      await expect(connection.callTool('large'), JSON.stringify(end)).rejects.toMatchObject({
        subject: 'maxMessageBytes',
      });
    }
  });

  test('text for the model is cut, and says so', { timeout: LIMIT }, async () => {
    const connection = await overStdio('hugeText');
    const [big] = await mcpTools(connection, { maxTextLength: 100 }).toolCallbacks();
    const result = await big?.call('{}');
    expect(result).toMatchObject({ text: `${'x'.repeat(100)}\n[2999900 more characters left out]` });
  });

  test('no text is cut in the middle of a character', { timeout: LIMIT }, async () => {
    const tools = [{ name: 't', description: 'ab\u{1F600}', inputSchema: { type: 'object' } }];
    const transport = serverOf(tools, { content: [{ type: 'text', text: 'ab\u{1F600}' }] });
    await using connection = await connectMcp({ name: 'e', transport });
    const texts = async (limit: number) => {
      const provider = mcpTools(connection, { maxTextLength: limit, maxDescriptionLength: limit });
      const [tool] = await provider.toolCallbacks();
      const result = await tool?.call('{}');
      return [tool?.definition.description, typeof result === 'string' ? result : result?.text];
    };
    expect(await texts(3)).toEqual(['ab', 'ab\n[2 more characters left out]']);
    expect(await texts(4)).toEqual(['ab\u{1F600}', 'ab\u{1F600}']);
  });
});

test('a list without an end is given up', { timeout: LIMIT }, async () => {
  const connection = await overHttp('endless');
  await expect(connection.listTools()).rejects.toMatchObject({ code: 'mcp_response', subject: 'maxListPages' });
  await expect(connection.listResources()).rejects.toMatchObject({ code: 'mcp_response', subject: 'maxListPages' });
  await expect(connection.listPrompts()).rejects.toMatchObject({ code: 'mcp_response', subject: 'maxListItems' });
  expect(await mcpTools(connection).toolCallbacks()).toEqual([]);
});

test('noise between messages is passed over', { timeout: LIMIT }, async () => {
  const connection = await overStdio('noise');
  expect((await connection.listTools()).length).toBeGreaterThan(3);
  expect((await connection.callTool('good')).content).toEqual([{ type: 'text', text: 'good' }]);
  expect((await connection.listTools()).length).toBeGreaterThan(3);
});

test('bad JSON over HTTP is an error of that request', { timeout: LIMIT }, async () => {
  const bodies = ['{"jsonrpc":', 'null', '[]', '{"jsonrpc":"2.0","id":0}', '\u0000', '<html>', ''];
  let body = '';
  const connection = await overHttp('odd', (request, response) => {
    if (request.method !== 'tools/call' || request.params?.['name'] !== 'bad') return false;
    response.writeHead(200, { 'content-type': body === '<html>' ? 'text/html' : 'application/json' }).end(body);
    return true;
  });
  for (body of bodies.filter((one) => one !== '[]')) {
    await expect(connection.callTool('bad'), body).rejects.toMatchObject({ code: 'mcp_response' });
  }
  body = '[]';
  await expect(connection.callTool('bad', {}, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  expect((await connection.callTool('good')).content).toHaveLength(1);
});

test('a stream that ends without an answer does not keep a call waiting', { timeout: LIMIT }, async () => {
  const connection = await overHttp('odd', (request, response) => {
    if (request.method !== 'tools/call' || request.params?.['name'] !== 'bad') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hello\n\n');
    return true;
  });
  await expect(connection.callTool('bad')).rejects.toMatchObject({
    code: 'mcp_connection',
    details: { delivered: 'unknown' },
  });
  expect((await connection.callTool('good')).content).toHaveLength(1);
});

test('a redirect to another origin is not followed, and takes no key along', { timeout: LIMIT }, async () => {
  let asked = 0;
  const other = await scriptedHttp('odd', () => {
    asked++;
    return false;
  });
  open.push(other);
  const server = await scriptedHttp('odd', (_, response) => {
    response.writeHead(307, { location: other.url }).end();
    return true;
  });
  open.push(server);
  const transport = streamableHttpTransport(server.url, { headers: { authorization: 'Bearer secret' } });
  await expect(connectMcp({ name: 'evil', transport })).rejects.toMatchObject({ code: 'mcp_connection' });
  expect(asked).toBe(0);
});

test('the endpoint of an SSE server cannot lie elsewhere', { timeout: LIMIT }, async () => {
  const { createServer } = await import('node:http');
  const http = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write('event: endpoint\ndata: http://example.com/steal\n\n');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await expect(connectMcp({ name: 'evil', transport: sseTransport(`http://127.0.0.1:${port}/sse`) })).rejects.toSatisfy(
    VernalError.is,
  );
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

describe('tools of a hostile list', () => {
  test('those that can be used have legal names of their own', { timeout: LIMIT }, async () => {
    const connection = await overStdio('odd');
    const tools = await mcpTools(connection).toolCallbacks();
    const names = tools.map(({ definition }) => definition.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    for (const name of names) expect(name).toMatch(/^evil_/);
    expect(names[0]).toBe('evil_good');
    expect(names).toContain('evil_a_b');
    expect(tools[0]?.definition.description).toBe('Good');
    expect(tools.every(({ definition }) => definition.description.length <= 8_192)).toBe(true);
    expect(tools).toHaveLength(10);
    for (const tool of tools) expect(await tool.call('{}')).toHaveProperty('text');
    // The same again, and after the list was read anew.
    await connection.listTools({ fresh: true });
    const again = await mcpTools(connection).toolCallbacks();
    expect(again.map(({ definition }) => definition.name)).toEqual(names);
  });

  test('answers that are none are errors of their call', { timeout: LIMIT }, async () => {
    const connection = await overStdio('badAnswers');
    const tools = await mcpTools(connection).toolCallbacks();
    const call = (name: string) => {
      const tool = tools.find(({ definition }) => definition.name === `evil_${name}`);
      if (tool === undefined) throw new Error(name);
      return tool.call('{}');
    };
    await expect(call('text')).rejects.toMatchObject({ code: 'mcp_response', fatal: false });
    await expect(call('shape')).rejects.toMatchObject({ code: 'mcp_response', fatal: false });
    expect(await call('image')).toMatchObject({ text: '[content that cannot be read]' });
    await expect(call('typed')).rejects.toMatchObject({ code: 'mcp_response', fatal: false });
    await expect(call('typed')).rejects.toThrow(/output schema/);
    await expect(call('untyped')).rejects.toThrow(/no structured content/);
    // A pattern that would take years is not run.
    expect(await call('regex')).toHaveProperty('structured');
    expect(await call('nonsense')).toMatchObject({ structured: { s: 1 } });
    const error = await call('error').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'mcp_protocol', fatal: true });
    expect(ToolExecutionError.is(error)).toBe(true);
    expect(JSON.stringify(error) + String(error)).not.toContain('secret-token');
    expect(await call('ok')).toMatchObject({ text: 'fine' });
    const told = await mcpTools(connection, { protocolErrors: 'answer' }).toolCallbacks();
    const failing = told.find(({ definition }) => definition.name === 'evil_error');
    await expect(failing?.call('{}')).rejects.toMatchObject({ fatal: false });
  });
});

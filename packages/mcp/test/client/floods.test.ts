import { createServer } from 'node:http';
import { connectMcp, type McpSamplingAnswer, streamableHttpTransport } from '@vernal/mcp';
import { expect, test } from 'vitest';
import { inProcessServer, type Say } from './in-process-server.js';
import { answerOf } from './scripted-server.mjs';

const LIMIT = 60_000;

test('a server whose list changes each time that it is read is asked less and less', { timeout: LIMIT }, async () => {
  let lists = 0;
  let told = 0;
  const transport = inProcessServer(({ id, method }, say) => {
    const change = (): void => say({ method: 'notifications/tools/list_changed' });
    if (method === 'notifications/initialized') change();
    if (method !== 'tools/list') return;
    lists++;
    change();
    say({ id, result: { tools: [{ name: `t${lists}`, inputSchema: { type: 'object' } }] } });
  });
  const begun = performance.now();
  const connection = await connectMcp({ name: 'f', transport, handlers: { toolListChanged: () => void told++ } });
  await expect.poll(() => told, { timeout: LIMIT }).toBeGreaterThanOrEqual(4);
  // 100, 200 and 400 ms lie between four readings, on whatever machine.
  expect(performance.now() - begun).toBeGreaterThan(650);
  expect((await connection.listTools()).length).toBe(1);
  await connection.close();
  const before = lists;
  await new Promise((resolve) => setImmediate(resolve));
  expect(lists).toBe(before);
});

test('what a server asks for is answered a few at a time, and not without an end', { timeout: LIMIT }, async () => {
  const answers: Readonly<Record<string, unknown>>[] = [];
  let speak: Say = () => {};
  const transport = inProcessServer((request, say) => {
    if (request.method === 'notifications/initialized') speak = say;
    if (typeof request.id === 'string') answers.push({ ...request });
  });
  let active = 0;
  let most = 0;
  let answer = (): void => {};
  const open = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const sampling = async (): Promise<McpSamplingAnswer> => {
    most = Math.max(most, ++active);
    await open;
    active--;
    return { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } };
  };
  await using connection = await connectMcp({ name: 'f', transport, maxServerRequests: 3, handlers: { sampling } });
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 10 };
  await expect.poll(() => speak.length, { timeout: LIMIT }).toBe(1);
  for (let i = 0; i < 100; i++) speak({ id: `s${i}`, method: 'sampling/createMessage', params });
  await expect.poll(() => answers.length, { timeout: LIMIT }).toBe(100 - 3 - 24);
  for (const one of answers) expect(one).toMatchObject({ error: { code: -32_603 } });
  answer();
  await expect.poll(() => answers.length, { timeout: LIMIT }).toBe(100);
  expect(answers.filter((one) => 'result' in one)).toHaveLength(27);
  expect(most).toBe(3);
  expect(connection.connected).toBe(true);
});

test('a stream that asks to be opened again at once is waited for', { timeout: LIMIT }, async () => {
  const opened: number[] = [];
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') {
      opened.push(performance.now());
      const data = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(`retry: 0\nid: ${opened.length}\ndata: ${data}\n\n`);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    if (message.id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerOf('odd', message)));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`;
  const connection = await connectMcp({ name: 'f', transport: streamableHttpTransport(url) });
  await expect.poll(() => opened.length, { timeout: LIMIT }).toBeGreaterThanOrEqual(3);
  await connection.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
  const [first = 0, , third = 0] = opened;
  expect(third - first).toBeGreaterThan(900);
});

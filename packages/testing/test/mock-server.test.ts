import { connect } from 'node:net';
import { gate, startMockServer } from '@vernal/testing/mock-server';
import { expect, it } from 'vitest';

async function pieces(response: Response): Promise<string[]> {
  const found: string[] = [];
  const decoder = new TextDecoder();
  if (response.body === null) return found;
  for await (const bytes of response.body) found.push(decoder.decode(bytes, { stream: true }));
  return found;
}

it('answers in order, records requests, and says what was not used', async () => {
  await using server = await startMockServer([{ json: { n: 1 } }, { status: 201, headers: { 'x-a': 'b' }, json: [] }]);
  const first = await fetch(`${server.url}/v1/x?q=1`, { method: 'POST', headers: { 'X-Key': 'k' }, body: '{"a":"ü"}' });
  expect(await first.json()).toEqual({ n: 1 });
  expect(() => server.assertComplete()).toThrow(/2 exchanges and got 1 requests/);
  const second = await fetch(server.url, { method: 'POST', body: 'not json' });
  expect([second.status, second.headers.get('x-a'), await second.json()]).toEqual([201, 'b', []]);
  server.assertComplete();
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/x?q=1', json: { a: 'ü' } });
  expect(server.requests[0]?.headers['x-key']).toBe('k');
  expect(server.requests[1]).toMatchObject({ text: 'not json', json: undefined });
});

it('refuses a request beyond the script, and reports it', async () => {
  await using server = await startMockServer();
  const response = await fetch(server.url);
  expect(response.status).toBe(500);
  expect(() => server.assertComplete()).toThrow(/got 1 requests/);
});

it('answers every request from one function', async () => {
  await using server = await startMockServer((request, position) => ({ json: { position, path: request.path } }));
  await fetch(`${server.url}/a`);
  expect(await (await fetch(`${server.url}/b`)).json()).toEqual({ position: 1, path: '/b' });
});

it('writes server-sent events, one line of data for each line of text', async () => {
  await using server = await startMockServer([
    { parts: [{ event: 'e', id: '7', data: { a: 1 } }, { data: 'x\ny' }, ': comment\n\n'] },
  ]);
  const response = await fetch(server.url);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe('event: e\nid: 7\ndata: {"a":1}\n\ndata: x\ndata: y\n\n: comment\n\n');
});

it('cuts characters where it is told to', async () => {
  const text = 'a€😀b'.repeat(20);
  await using server = await startMockServer([
    { parts: [text], split: { each: 1 } },
    { parts: [text], split: { at: [7, 2, 900] } },
  ]);
  expect((await pieces(await fetch(server.url))).join('')).toBe(text);
  expect((await pieces(await fetch(server.url))).join('')).toBe(text);
});

it('holds a reply until the test opens the gate', async () => {
  const [headers, middle] = [gate(), gate()];
  await using server = await startMockServer([{ hold: headers, parts: ['one', { hold: middle }, 'two'] }]);
  const answer = fetch(server.url);
  await headers.reached;
  headers.open();
  const reader = (await answer).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one');
  await middle.reached;
  middle.open();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('two');
  expect((await reader?.read())?.done).toBe(true);
  expect(server.dropped).toBe(0);
});

it.each(['cut', 'reset'] as const)('%s breaks the body', async (end) => {
  await using server = await startMockServer([{ parts: ['one', { end }, 'never'] }]);
  const response = await fetch(server.url);
  await expect(response.text()).rejects.toThrow();
  expect(server.dropped).toBe(0);
});

it('close ends the body early but cleanly', async () => {
  await using server = await startMockServer([{ parts: ['one', { end: 'close' }, 'never'] }]);
  expect(await (await fetch(server.url)).text()).toBe('one');
});

it('counts the answers that the client left early, before and after the headers', async () => {
  const never = gate();
  await using server = await startMockServer([{ hold: never, json: {} }, { parts: ['one', { end: 'hang' }] }]);
  const early = new AbortController();
  const first = fetch(server.url, { signal: early.signal });
  await never.reached;
  early.abort();
  await expect(first).rejects.toThrow();
  await server.whenDropped(1);
  const late = new AbortController();
  const second = await fetch(server.url, { signal: late.signal });
  late.abort();
  await expect(second.text()).rejects.toThrow();
  await server.whenDropped(2);
  expect(server.dropped).toBe(2);
});

it('closes with answers still open, frees the port, and closes twice', async () => {
  const server = await startMockServer([{ parts: ['one', { end: 'hang' }] }]);
  const response = await fetch(server.url);
  await server.close();
  await server.close();
  await expect(response.text()).rejects.toThrow();
  expect(server.dropped).toBe(0);
  const port = Number(new URL(server.url).port);
  const code = await new Promise((resolve) => {
    connect(port, '127.0.0.1').once('error', (error) => resolve('code' in error ? error.code : undefined));
  });
  expect(code).toBe('ECONNREFUSED');
});

import { begunAt, timedFetch } from '@vernal/core/adapter';
import { expect, it, vi } from 'vitest';

const answering = (response: Response): typeof globalThis.fetch => timedFetch(() => Promise.resolve(response));

it('notes when the request of a response began', async () => {
  const before = performance.now();
  const response = await answering(new Response('ok'))('https://host');
  expect(begunAt(response)).toBeGreaterThanOrEqual(before);
  expect(begunAt(response)).toBeLessThanOrEqual(performance.now());
  expect(await response.text()).toBe('ok');
  expect(begunAt(new Response('of another fetch'))).toBeUndefined();
});

it('hands on what it is asked', async () => {
  const fetch = vi.fn(() => Promise.resolve(new Response()));
  const init = { method: 'POST', body: '{}' };
  await timedFetch(fetch)('https://host', init);
  expect(fetch).toHaveBeenCalledWith('https://host', init);
});

it('has read what an error says before it gives the response', async () => {
  const words = ['{"error":', '"busy"}'];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const word = words.shift();
        if (word === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(word));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'retry-after': '3' };
  const response = await answering(new Response(body, { status: 503, statusText: 'Busy', headers }))('https://host');
  expect(words).toEqual([]);
  expect([response.status, response.statusText, response.headers.get('retry-after')]).toEqual([503, 'Busy', '3']);
  expect(await response.json()).toEqual({ error: 'busy' });
});

it('keeps the status of an error whose words never come', async () => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('cut')) });
  const response = await answering(new Response(body, { status: 429 }))('https://host');
  expect(response.status).toBe(429);
  expect(await response.text()).toBe('');
});

it('takes the global fetch by default', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('global'));
  try {
    expect(await (await timedFetch()('https://host')).text()).toBe('global');
  } finally {
    fetch.mockRestore();
  }
});

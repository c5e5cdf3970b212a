const beginnings = new WeakMap<Response, number>();

/**
 * A `fetch` for SDKs whose own time limit ends with the headers: it notes when a request began, so that the rest of the time can be
 * kept for the body, and reads what an error says while the SDK's limit still runs.
 *
 * @example
 * const client = new Acme({ timeout: timeoutMs, fetch: timedFetch(connection.fetch) });
 * const timeout = new RequestTimeout(timeoutMs, signal);
 * const answering = client.ask(body, { signal: timeout.signal });
 * const answer = await timeout.within(answering, begunAt(await answering.asResponse()));
 */
export function timedFetch(fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const begunAt = performance.now();
    const response = await fetch(input, init);
    if (!response.ok) return withWholeBody(response);
    beginnings.set(response, begunAt);
    return response;
  };
}

/** When the request of a response began, by `performance.now()`. Undefined when another `fetch` made it. */
export function begunAt(response: Response): number | undefined {
  return beginnings.get(response);
}

/** The status says what went wrong, even when its words never come. */
async function withWholeBody(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  // No other status can be made again.
  if (status < 200 || status > 599) return response;
  const text = await response.text().catch(() => '');
  return new Response(text === '' ? null : text, { status, statusText, headers });
}

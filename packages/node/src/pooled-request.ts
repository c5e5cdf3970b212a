import { setMaxListeners } from 'node:events';
import { type Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Where a request goes, in the words of `node:http`. */
export interface Place {
  readonly href: string;
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
}

/** What a request goes through. */
export interface Way {
  /** Keeps its connections. */
  readonly kept: HttpAgent;
  /** Makes a new one for every request. */
  readonly fresh: HttpAgent;
  /** What breaks each request that waits for its answer. */
  readonly open: Set<() => void>;
  /** Connections that carried a request before: `reusedSocket` of `node:http` leaves out those that a waiting request gets. */
  readonly used: WeakSet<object>;
}

/** A connection that was dead already breaks within a round trip. What breaks later may have been worked on. */
const STALE_WITHIN_MS = 1_000;
const STALE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** The answer; asked once more on a new connection when the server had closed a kept one just as it was taken, as browsers do. */
export async function pooledRequest(place: Place, init: RequestInit, way: Way): Promise<IncomingMessage> {
  try {
    return await send(place, init, way.kept, way);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return send(place, init, way.fresh, way);
  }
}

/** A kept connection broke before anything came over it. */
class StaleConnection extends Error {}

function send(
  place: Place,
  { method = 'GET', headers, body, signal }: RequestInit,
  agent: HttpAgent,
  { open, used }: Way,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const payload = body as string | Uint8Array | null | undefined;
    const options: RequestOptions = { ...place, method, agent, headers: headersFor(headers, payload) };
    const request = (place.protocol === 'https:' ? requestHttps : requestHttp)(options);
    let answer: IncomingMessage | undefined;
    let reused = false;
    let begun = 0;
    const abort = (): void => {
      (answer ?? request).destroy(asError(signal?.reason));
      settle();
      reject(signal?.reason);
    };
    const breakOff = (): void => {
      request.destroy();
      settle();
      reject(failed(new Error('the pool of connections was closed')));
    };
    const settle = (): void => {
      open.delete(breakOff);
      signal?.removeEventListener('abort', abort);
    };
    open.add(breakOff);
    if (signal) listen(signal, abort);
    // Before that it may wait for a connection for as long as it takes.
    request.once('socket', (socket) => {
      reused = used.has(socket);
      used.add(socket);
      begun = performance.now();
    });
    request.once('response', (message) => {
      answer = message;
      open.delete(breakOff);
      resolve(message);
    });
    // Not once: a second fault after the first must not become an uncaught one.
    request.on('error', (error) => {
      if (signal?.aborted) return reject(signal.reason);
      const early = reused && performance.now() - begun <= STALE_WITHIN_MS;
      const stale = early && STALE.has(Reflect.get(error, 'code')) && open.has(breakOff);
      reject(stale ? new StaleConnection() : failed(error));
    });
    request.once('close', () => {
      settle();
      // After an answer that is none, such as 101; where an error came before, that one stays.
      if (answer === undefined) reject(failed(new Error('the connection closed without an answer')));
    });
    request.end(payload ?? undefined);
  });
}

/** One signal may stand over any number of requests. */
function listen(signal: AbortSignal, abort: () => void): void {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  signal.addEventListener('abort', abort, { once: true });
}

function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('This operation was aborted', 'AbortError');
}

function headersFor(
  given: RequestInit['headers'],
  body: string | Uint8Array | null | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [key, value] of entriesOf(given)) {
    const name = key.toLowerCase();
    headers[name] = headers[name] === undefined ? String(value) : `${headers[name]}, ${value}`;
  }
  headers['accept'] ??= '*/*';
  headers['user-agent'] ??= 'node';
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8';
  if (body !== undefined && body !== null) headers['content-length'] = String(Buffer.byteLength(body));
  return headers;
}

/** Pairs: of `Headers` of any maker, of a list, of a map, or of an object. */
function entriesOf(given: RequestInit['headers']): Iterable<readonly [string, string]> {
  if (given === undefined) return [];
  if (typeof Reflect.get(given, Symbol.iterator) === 'function') return given as Iterable<[string, string]>;
  return Object.entries(given as Record<string, string>);
}

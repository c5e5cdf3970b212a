import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { invalidArgument, VernalError } from '@vernal/core';
import { type Place, pooledRequest, type Way } from './pooled-request.js';
import { PooledResponse } from './pooled-response.js';
import { isRedirect, MOST_REDIRECTS, redirectedRequest } from './redirected-request.js';

/** All may be left out. */
export interface PooledFetchOptions {
  /** At the same time to one origin; further requests wait for one of them. Default: no limit. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds that a connection stays open without a request, less when the server says so. Default 30,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Of the agents of `node:http` and `node:https`: certificates, the local address, … */
  readonly agent?: AgentOptions | undefined;
}

/** A `fetch` that keeps its connections, until it is closed. */
export interface PooledFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Breaks what is open; later requests fail with `invalid_state`. Twice is once. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A `fetch` on `node:http` with kept connections, which costs a fraction of the global one's time: give it to a model as its `fetch`.
 * For the requests that clients of APIs make: text or bytes out, any answer in, HTTP/1.1. What it does not do itself (`Request` objects,
 * forms and streams as bodies) goes to the global `fetch`. A body that nobody wants must be cancelled, or it holds its connection. Idle
 * connections do not keep a process alive.
 *
 * A request on a kept connection that turns out to be dead at once is sent once more on a new one, whatever its method, as browsers do.
 *
 * @throws VernalError `invalid_argument` for a limit that is not a positive number; requests reject as those of `fetch` do
 *
 * @example
 * await using pool = pooledFetch({ maxConnections: 64 });
 * const model = new OpenAiChatModel({ apiKey, fetch: pool });
 */
export function pooledFetch(options: PooledFetchOptions = {}): PooledFetch {
  const { maxConnections = Number.POSITIVE_INFINITY, idleTimeoutMs = 30_000 } = options;
  if (!(maxConnections >= 1)) throw invalidArgument('maxConnections', 'must be at least 1');
  if (!(idleTimeoutMs > 0)) throw invalidArgument('idleTimeoutMs', 'must be a number of milliseconds above 0');
  const settings = { ...options.agent, keepAlive: true, maxSockets: maxConnections, timeout: idleTimeoutMs };
  const once = { ...settings, keepAlive: false };
  const shared = { open: new Set<() => void>(), used: new WeakSet<object>() };
  const ways: Record<Place['protocol'], Way> = {
    'http:': { kept: new HttpAgent(settings), fresh: new HttpAgent(once), ...shared },
    'https:': { kept: new HttpsAgent(settings), fresh: new HttpsAgent(once), ...shared },
  };
  const places = new Map<string, Place>();
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    for (const breakOff of [...shared.open]) breakOff();
    for (const { kept, fresh } of Object.values(ways)) for (const agent of [kept, fresh]) shut(agent);
  };
  const checkOpen = (): void => {
    if (closed) throw new VernalError('This pool of connections is closed: make a new one', { code: 'invalid_state' });
  };
  const run = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    checkOpen();
    let place = typeof input === 'string' || input instanceof URL ? placeOf(String(input), places) : undefined;
    if (place === undefined || !isSimple(init)) return globalThis.fetch(input, init);
    let asked = init;
    for (let redirects = 0; ; redirects++) {
      const message: IncomingMessage = await pooledRequest(place, asked, ways[place.protocol]);
      const { headers, statusCode = 0 } = message;
      if (headers.location === undefined || !isRedirect(statusCode) || init.redirect === 'manual') {
        return new PooledResponse(message, { url: place.href, redirected: redirects > 0, init: asked });
      }
      message.destroy();
      if (init.redirect === 'error' || redirects === MOST_REDIRECTS) {
        const why = init.redirect === 'error' ? 'a redirect came' : 'too many redirects';
        throw new TypeError('fetch failed', { cause: new Error(why) });
      }
      const next = redirectedRequest(statusCode, place.href, headers.location, asked);
      checkOpen();
      asked = next.init;
      place = placeOf(next.address, new Map()) as Place;
    }
  };
  return Object.assign(run, { close, [Symbol.asyncDispose]: close });
}

/** Requests that wait in the agent's queue would still get a connection each: there are none any more. */
function shut(agent: HttpAgent): void {
  agent.createConnection = (_, done) => {
    done?.(new Error('the pool of connections was closed'), undefined as never);
    return undefined;
  };
  agent.destroy();
}

/** So many addresses are kept: a client of an API has a few. */
const KEPT_PLACES = 100;

/** Undefined for what is not HTTP. Taking an address apart costs as much as the rest of a small request. */
function placeOf(address: string, places: Map<string, Place>): Place | undefined {
  const kept = places.get(address);
  if (kept !== undefined) return kept;
  const { protocol, hostname, port, pathname, search, username, password, href } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  if (username !== '' || password !== '') return undefined;
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const place: Place = { href: href.replace(/#.*/s, ''), protocol, hostname: host, port, path: `${pathname}${search}` };
  if (places.size >= KEPT_PLACES) places.clear();
  places.set(address, place);
  return place;
}

function isSimple({ body }: RequestInit): boolean {
  return body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;
}

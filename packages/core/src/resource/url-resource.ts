import { abortError, throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import { isRetryableStatus } from '../errors/retryable-status.js';
import { safeCause } from '../errors/safe-cause.js';
import { VernalError } from '../errors/vernal-error.js';
import { retryAfterMs } from '../retry/retry-after.js';
import { bodyChunks } from '../streams/body-chunks.js';
import { isPrivateHost } from './address-guard.js';
import { joinBytes } from './join-bytes.js';
import type { Resource, ResourceOptions } from './resource.js';

/** How a URL is fetched, and how far it is trusted. */
export interface UrlResourceOptions extends ResourceOptions {
  /** Default `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent to the URL's own origin only: a redirect to another one goes without them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes. Default 52,428,800. */
  readonly maxBytes?: number | undefined;
  /** Private, loopback and link-local addresses are refused, redirects included, unless true. Default false. */
  readonly allowPrivateAddresses?: boolean | undefined;
}

const MAX_BYTES = 52_428_800;
const MAX_REDIRECTS = 10;

/**
 * What an http or https URL gives, fetched each time it is read. `mimeType` and the name of the file are the options' or, once it was
 * read, those that the server declared.
 *
 * Addresses are refused as they are written, in every spelling. A public name that a DNS server resolves to a private address cannot be
 * seen from here: where URLs come from strangers, give a `fetch` whose agent checks the address it connects to.
 *
 * Throws `invalid_argument` for a URL that is not http(s), holds a password, or names a private address; reading throws `resource` (with
 * `details.status` where there was an answer) for failures, for redirects to private addresses and for more than `maxBytes`.
 *
 * @example
 * const page = await readText(urlResource('https://example.com/handbook.md', { maxBytes: 1_000_000 }), { signal });
 */
export function urlResource(url: string | URL, options: UrlResourceOptions = {}): Resource {
  const start = parseUrl(url);
  if (options.allowPrivateAddresses !== true && isPrivateHost(start.hostname)) {
    throw invalidArgument('url', `${start.hostname} is a private address; set allowPrivateAddresses to read it`);
  }
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const filename = options.filename ?? lastSegment(start);
  const resource: { -readonly [K in keyof Resource]: Resource[K] } = {
    uri: options.uri ?? start.href,
    ...(filename === undefined ? undefined : { filename }),
    ...(options.mimeType === undefined ? undefined : { mimeType: options.mimeType }),
    async bytes(context) {
      const pieces: Uint8Array[] = [];
      for await (const piece of stream(context)) pieces.push(piece);
      return joinBytes(pieces);
    },
    stream,
  };

  async function* stream(context?: CallContext): AsyncGenerator<Uint8Array, void, undefined> {
    const signal = context?.signal;
    const response = await open(start, options, signal);
    const declared = response.headers.get('content-type');
    if (options.mimeType === undefined && declared !== null) resource.mimeType = declared;
    if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
      await discard(response);
      throw tooLarge(start, maxBytes);
    }
    let length = 0;
    try {
      for await (const piece of bodyChunks(response.body)) {
        length += piece.length;
        if (length > maxBytes) throw tooLarge(start, maxBytes);
        yield piece;
      }
    } catch (error) {
      throw VernalError.is(error) ? error : failed(start, signal, error);
    }
  }

  return resource;
}

async function open(start: URL, options: UrlResourceOptions, signal: AbortSignal | undefined): Promise<Response> {
  const fetch = options.fetch ?? globalThis.fetch;
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    throwIfAborted(signal);
    const headers = url.origin === start.origin ? { ...options.headers } : {};
    let response: Response;
    try {
      response = await fetch(url.href, {
        redirect: 'manual',
        headers,
        ...(signal === undefined ? undefined : { signal }),
      });
    } catch (cause) {
      throw failed(url, signal, cause);
    }
    if (response.ok) return response;
    await discard(response);
    url = redirectOf(response, url, options);
  }
  throw resourceError(url, `redirects more than ${MAX_REDIRECTS} times`);
}

/** Where to go on; throws when the response is no redirect, or one that must not be followed. */
function redirectOf(response: Response, url: URL, options: UrlResourceOptions): URL {
  if (response.type === 'opaqueredirect') {
    throw resourceError(url, 'redirects, and this platform does not say where to; give the final URL');
  }
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) {
    throw resourceError(url, `answered with status ${response.status}`, {
      details: { status: response.status },
      retryable: isRetryableStatus(response.status),
      retryAfterMs: retryAfterMs(response.headers),
    });
  }
  const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (next === undefined || !isHttp(next) || next.username !== '' || next.password !== '')
    throw resourceError(url, 'redirects to what is not a plain http or https URL');
  if (options.allowPrivateAddresses !== true && isPrivateHost(next.hostname)) {
    throw resourceError(url, 'redirects to a private address; set allowPrivateAddresses to follow it');
  }
  return next;
}

function parseUrl(url: string | URL): URL {
  const text = String(url);
  if (!URL.canParse(text)) throw invalidArgument('url', 'must be an absolute URL');
  const parsed = new URL(text);
  if (!isHttp(parsed)) throw invalidArgument('url', `must be http or https, not ${parsed.protocol}`);
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalidArgument('url', 'must not hold a user name or password; give an authorization header');
  }
  return parsed;
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** Decoding may bring slashes to light; a file name is never a path. */
function lastSegment(url: URL): string | undefined {
  let path = url.pathname;
  try {
    path = decodeURIComponent(path);
  } catch {
    // Not UTF-8: the name stays as it is written.
  }
  return path.slice(path.search(/[^/\\]*$/)) || undefined;
}

/** An unread body would keep its connection. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

function failed(url: URL, signal: AbortSignal | undefined, cause: unknown): VernalError {
  if (signal?.aborted) return abortError(signal);
  return resourceError(url, 'cannot be reached', { retryable: true, cause: safeCause(cause) });
}

function tooLarge(url: URL, maxBytes: number): VernalError {
  return resourceError(url, `is larger than ${maxBytes} bytes; raise maxBytes to read it`, { details: { maxBytes } });
}

/** Names the host only: paths and queries hold tokens. */
function resourceError(
  url: URL,
  fault: string,
  options?: Omit<ConstructorParameters<typeof VernalError>[1], 'code' | 'subject'>,
): VernalError {
  return new VernalError(`The resource at ${url.host} ${fault}`, { ...options, code: 'resource', subject: 'url' });
}

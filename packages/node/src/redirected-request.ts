/** What a redirect makes of a request. */
export interface RedirectedRequest {
  readonly address: string;
  readonly init: RequestInit;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** So many in a row, then the server goes in circles. */
export const MOST_REDIRECTS = 20;

export function isRedirect(status = 0): boolean {
  return REDIRECTS.has(status);
}

/**
 * The request that follows on a redirect: after 303, and after 301 and 302 of a POST, a GET without the body; credentials stay with the
 * origin that they were meant for. Source: https://fetch.spec.whatwg.org/#http-redirect-fetch
 *
 * @throws TypeError for a location that cannot be gone to
 */
export function redirectedRequest(
  status: number,
  from: string,
  location: string,
  init: RequestInit,
): RedirectedRequest {
  const before = new URL(from);
  const target = new URL(location, before);
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw new TypeError('fetch failed', { cause: new Error('a redirect leaves HTTP') });
  if (target.username !== '' || target.password !== '')
    throw new TypeError('fetch failed', { cause: new Error('a redirect holds credentials') });
  const headers = new Headers(init.headers);
  let { method = 'GET', body } = init;
  const asked = method.toUpperCase();
  if (status === 303 ? asked !== 'GET' && asked !== 'HEAD' : asked === 'POST' && (status === 301 || status === 302)) {
    method = 'GET';
    body = null;
    for (const name of ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length']) {
      headers.delete(name);
    }
  }
  if (target.origin !== before.origin) {
    for (const name of ['authorization', 'proxy-authorization', 'cookie', 'host']) headers.delete(name);
  }
  return { address: target.href, init: { ...init, method, headers, body } as RequestInit };
}

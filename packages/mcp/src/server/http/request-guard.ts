import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { hostNames, isHost, originNames } from './host-name.js';
import type { McpHttpOptions } from './http-options.js';
import { REFUSED_CODE, rpcError } from './rpc-response.js';

const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';
const EXPOSED_HEADERS = 'mcp-session-id, mcp-protocol-version, www-authenticate';

/** The checks of Host and Origin, and what a web page that passed them is told (CORS). */
export class RequestGuard {
  readonly #hosts: string[] | undefined;
  readonly #origins: string[] | undefined;

  constructor({ allowedHosts, allowedOrigins }: McpHttpOptions) {
    this.#hosts =
      allowedHosts === false ? undefined : hostNames(allowedHosts ?? localhostAllowedHostnames(), 'allowedHosts');
    if (allowedOrigins === false) this.#origins = undefined;
    // Who lets others check the host has not said which web pages may call.
    else if (allowedOrigins === undefined) this.#origins = this.#hosts ?? localhostAllowedHostnames();
    else this.#origins = originNames(allowedOrigins);
  }

  /** The answer to a request that may not pass, or to a web page's question whether it may. */
  check(request: Request): Response | undefined {
    const host = request.headers.get('host');
    if (host !== null && !isHost(host))
      return rpcError(400, REFUSED_CODE, 'Bad Request: the header Host names no host');
    const refused =
      (this.#hosts === undefined ? undefined : hostHeaderValidationResponse(request, this.#hosts)) ??
      (this.#origins === undefined ? undefined : originValidationResponse(request, this.#origins));
    if (refused !== undefined) return refused;
    if (request.method !== 'OPTIONS' || request.headers.get('origin') === null) return undefined;
    return new Response(null, {
      status: 204,
      headers: {
        'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      },
    });
  }

  /** What the browser of an allowed page must read to hand the answer on. */
  tell(request: Request, response: Response): Response {
    const origin = request.headers.get('origin');
    if (origin === null || response.headers.has('access-control-allow-origin')) return response;
    const headers = new Headers(response.headers);
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', EXPOSED_HEADERS);
    headers.append('vary', 'Origin');
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  }
}

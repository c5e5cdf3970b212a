import type { Transport } from '@modelcontextprotocol/client';

/**
 * How a connection reaches its server: opened anew whenever the connection was lost. `streamableHttpTransport`, `sseTransport` and,
 * in `@vernal/mcp/node`, `stdioTransport` make one; anyone may write one over a transport of the official SDK.
 *
 * @example
 * const inProcess: McpClientTransport = { kind: 'in-process', open: () => linkToServer() };
 */
export interface McpClientTransport {
  /** Told to observers and in errors. */
  readonly kind: 'stdio' | 'streamable-http' | 'sse' | (string & {});
  /** A transport that has not been started; asked for once a session. */
  open(): Transport | Promise<Transport>;
  /** Tried when a server answers the first request with 400, 404 or 405, as servers of before 2025-03-26 do. */
  readonly fallback?: McpClientTransport | undefined;
}

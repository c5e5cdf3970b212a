import { SSEClientTransport } from '@modelcontextprotocol/client';
import { requireCount, requireOptionNames } from '@vernal/core/adapter';
import type { McpClientTransport } from './client-transport.js';
import { fetchOf, httpAddress, MAX_MESSAGE_BYTES, type McpHttpClientOptions } from './streamable-http-transport.js';

/**
 * The transport of before 2025-03-26: an event stream for what the server says, and an address of its own for what it is told. Only
 * for servers that have nothing newer.
 *
 * @throws VernalError `invalid_argument` for an address that is not http or https
 * @example
 * sseTransport('https://example.com/sse');
 */
export function sseTransport(url: string | URL, options: McpHttpClientOptions = {}): McpClientTransport {
  requireOptionNames(options, ['headers', 'auth', 'fetch', 'maxMessageBytes']);
  const address = httpAddress(url);
  const maxBytes = requireCount(options.maxMessageBytes ?? MAX_MESSAGE_BYTES, 'maxMessageBytes');
  return { kind: 'sse', open: () => new ConnectedSseTransport(address, options, maxBytes) };
}

class ConnectedSseTransport extends SSEClientTransport {
  constructor(url: URL, options: McpHttpClientOptions, maxBytes: number) {
    super(url, {
      fetch: fetchOf(url, options, maxBytes, (error) => this.onerror?.(error)),
      ...(options.auth === undefined ? undefined : { authProvider: options.auth }),
    });
  }
}

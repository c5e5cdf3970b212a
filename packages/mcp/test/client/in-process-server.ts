import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { McpClientTransport } from '@vernal/mcp';

/** What a client sent, and the way to say something to it. */
export interface InProcessRequest {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type Say = (message: Readonly<Record<string, unknown>>) => void;

/** A server in this process that says whatever a test wants; it greets by itself. `respond` hears all else. */
export function inProcessServer(
  respond: (request: InProcessRequest, say: Say) => void,
  capabilities: Readonly<Record<string, unknown>> = { tools: { listChanged: true } },
): McpClientTransport {
  return {
    kind: 'in-process',
    open(): Transport {
      const say: Say = (message) => transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
      const transport: Transport = {
        start: async () => {},
        close: async () => transport.onclose?.(),
        send: async (message) => {
          const request: InProcessRequest = JSON.parse(JSON.stringify(message));
          const { id, method, params } = request;
          if (method !== 'initialize') return void setImmediate(respond, request, say);
          const protocolVersion = params?.['protocolVersion'];
          const result = { protocolVersion, capabilities, serverInfo: { name: 'in-process', version: '0' } };
          queueMicrotask(() => say({ id, result }));
        },
      };
      return transport;
    },
  };
}

/** One that has these tools, and one answer to each call. */
export function serverOf(tools: readonly object[], answer: object = { content: [] }): McpClientTransport {
  return inProcessServer(({ id, method }, say) => {
    if (method === 'tools/list') say({ id, result: { tools } });
    else if (id !== undefined) say({ id, result: answer });
  });
}

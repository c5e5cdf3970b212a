import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type McpFetchOptions,
  type McpHttpHandler,
  type McpHttpOptions,
  type McpServer,
  mcpHttpHandler,
} from '@vernal/mcp';

/** The protocol of clients: with a handshake and sessions, or with neither. */
export type Era = 'legacy' | 'modern';

/** Answers of a client's user and model. */
export interface ClientAnswers {
  readonly sure?: boolean;
}

export const URL_OF_TEST = 'http://localhost/mcp';

/** A client of the SDK that talks to a handler without a network. */
export async function connectClient(
  handler: McpHttpHandler,
  era: Era,
  { sure = true, ...known }: ClientAnswers & McpFetchOptions & { headers?: Record<string, string> } = {},
): Promise<Client> {
  const { headers, ...rest } = known;
  const client = newClient(era, sure);
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_TEST), {
    fetch: (url, init) => {
      const request = new Request(url, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), host: 'localhost', ...headers },
      });
      return handler.fetch(request, rest);
    },
  });
  await client.connect(transport);
  return client;
}

export function newClient(era: Era, sure = true): Client {
  const options: ClientOptions = {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } },
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  };
  const client = new Client({ name: 'test-client', version: '1.0.0' }, options);
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { sure } }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: 'because' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
  return client;
}

/** A handler for tests: closed by the caller. */
export function handlerOf(server: McpServer, options: McpHttpOptions = {}): McpHttpHandler {
  return mcpHttpHandler(server, options);
}

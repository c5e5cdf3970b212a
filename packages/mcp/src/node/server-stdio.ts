import { type Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '@vernal/core';
import { noopLogger, safeLogger } from '@vernal/core';
import type { McpServer, McpServerConnection } from '../server/mcp-server.js';

/** How a server is served to the program that started this one. */
export interface McpStdioOptions {
  /** Default `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Default `process.stdout`, where nothing else may be written then: log to stderr. */
  readonly output?: Writable | undefined;
  /** Bytes of one message; more ends the connection. Default 10 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Default silent. */
  readonly logger?: Logger | undefined;
}

/** One client at the other end of the pipe. */
export interface McpStdioConnection extends McpServerConnection {
  /** Settles when the client is gone or the connection was closed. */
  readonly closed: Promise<void>;
}

/**
 * Serves one client over stdin and stdout. Ends when the client closes its end or reads no more; the process then ends by itself unless it holds
 * something open.
 *
 * @example
 * serveMcpStdio(mcpServer({ tools: [weather] }));
 */
export function serveMcpStdio(server: McpServer, options: McpStdioOptions = {}): McpStdioConnection {
  const { input = process.stdin, output = process.stdout, maxMessageBytes } = options;
  const logger = safeLogger(options.logger ?? noopLogger);
  const transport = new StdioServerTransport(
    input,
    queued(output),
    maxMessageBytes === undefined ? undefined : { maxBufferSize: maxMessageBytes },
  );
  let gone: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const handle = serveStdio(server.serve, {
    transport,
    onerror: (error) => logger.debug('MCP message failed', { error: error.name }),
  });
  const close = async (): Promise<void> => {
    leave();
    await handle.close();
    gone();
  };
  const leave = server.attach(undefined, close);
  // Chained behind the SDK's own, which it set when it took the transport.
  const ended = transport.onclose;
  transport.onclose = () => {
    ended?.();
    leave();
    gone();
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** The SDK listens once a message for room in the pipe: on a stream of its own, which takes any number of listeners. */
function queued(output: Writable): Writable {
  const queue = new Writable({
    write(chunk, encoding, done) {
      output.write(chunk, encoding, done);
    },
  });
  // A pipe whose reader is gone reaches the queue by `done`, and says so itself when the queue may be closed already.
  if (!output.listeners('error').includes(ignore)) output.on('error', ignore);
  return queue.setMaxListeners(0);
}

function ignore(): void {}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { VernalError } from '@vernal/core';
import { writeBody } from './body-writer.js';
import { Counter } from './counter.js';
import type { Gate } from './gate.js';
import { waitAt } from './gate.js';
import type { MockExchange, MockReply, MockRequest } from './mock-reply.js';
import { readRequest } from './read-request.js';

/** A provider's server, played on 127.0.0.1 at a free port. */
export interface MockServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** In the order they came; a request is there once its body was read whole. */
  readonly requests: readonly MockRequest[];
  /** Answers that the client left before they were over, whether headers had been sent or not. */
  readonly dropped: number;
  /** Appends exchanges. */
  add(...exchanges: readonly MockExchange[]): void;
  /** Resolves once this many requests have come in all. */
  whenRequested(count: number): Promise<void>;
  /** Resolves once this many answers were left early in all. */
  whenDropped(count: number): Promise<void>;
  /** Throws `invalid_state` unless every exchange was used and no request found none left. */
  assertComplete(): void;
  /** Breaks what is open and frees the port. Twice is once. */
  close(): Promise<void>;
}

async function held(hold: Gate | undefined, response: ServerResponse): Promise<void> {
  if (hold === undefined) return;
  await Promise.race([waitAt(hold), new Promise<void>((resolve) => response.once('close', () => resolve()))]);
}

/** Sends the reply. `meant` is called right before the server itself leaves an answer unfinished. */
async function send(
  reply: MockReply,
  { socket }: IncomingMessage,
  response: ServerResponse,
  meant: () => void,
): Promise<void> {
  await held(reply.hold, response);
  if (response.destroyed) return;
  if ('drop' in reply) {
    meant();
    socket.destroy();
    return;
  }
  const status = reply.status ?? 200;
  if ('json' in reply) {
    response.writeHead(status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.json));
    return;
  }
  response.writeHead(status, { ...(reply.headers ?? { 'content-type': 'text/event-stream' }) });
  response.flushHeaders();
  const end = await writeBody(response, reply.parts, reply.split);
  if (end === 'close') response.end();
  else if (end === 'cut' || end === 'reset') {
    meant();
    if (end === 'reset') socket.resetAndDestroy();
    else socket.destroySoon();
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new VernalError('The mock server got no port', { code: 'invalid_state', subject: 'address' }));
    });
  });
}

/**
 * Starts a server that answers the n-th request with the n-th exchange, whatever its path. A single function answers all. A request that
 * finds no exchange left gets status 500 and is reported by `assertComplete`.
 *
 * @example
 * ```ts
 * await using server = await startMockServer([{ json: { ok: true } }, { parts: [{ data: 'a' }, { end: 'reset' }] }]);
 * await fetch(server.url, { method: 'POST', body: '{}' });
 * ```
 */
export async function startMockServer(
  exchanges: readonly MockExchange[] | Extract<MockExchange, (...parameters: never) => unknown> = [],
): Promise<MockServer> {
  const handler = typeof exchanges === 'function' ? exchanges : undefined;
  const script: MockExchange[] = typeof exchanges === 'function' ? [] : [...exchanges];
  const requests: MockRequest[] = [];
  const requested = new Counter();
  const dropped = new Counter();
  let surplus = 0;
  let closing: Promise<void> | undefined;

  const nextReply = async (request: MockRequest, position: number): Promise<MockReply> => {
    const exchange = handler ?? script[position];
    if (exchange === undefined) {
      surplus++;
      const message = `The mock server has ${script.length} exchanges and got request number ${position + 1}`;
      return { status: 500, json: { error: { message, type: 'mock_server' } } };
    }
    return typeof exchange === 'function' ? exchange(request, position) : exchange;
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let meant = false;
    response.once('close', () => {
      if (!response.writableFinished && !meant && closing === undefined) dropped.add();
    });
    const request = await readRequest(incoming);
    const position = requests.push(request) - 1;
    requested.add();
    const reply = await nextReply(request, position);
    await send(reply, incoming, response, () => {
      meant = true;
    });
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent || response.destroyed) response.destroy();
      else response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;

  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  };
  return {
    url,
    requests,
    get dropped() {
      return dropped.value;
    },
    add(...more) {
      script.push(...more);
    },
    whenRequested: (count) => requested.reaches(count),
    whenDropped: (count) => dropped.reaches(count),
    assertComplete() {
      const unused = Math.max(0, script.length - requests.length);
      if (unused === 0 && surplus === 0) return;
      throw new VernalError(
        `The mock server had ${script.length} exchanges and got ${requests.length} requests: give it one exchange for each request`,
        {
          code: 'invalid_state',
          subject: 'exchanges',
          details: { exchanges: script.length, requests: requests.length },
        },
      );
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

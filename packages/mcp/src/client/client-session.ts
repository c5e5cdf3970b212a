import { Client, SseError, type Transport, UnauthorizedError } from '@modelcontextprotocol/client';
import { untilAborted, VernalError } from '@vernal/core';
import { httpStatusOf } from './client-error.js';
import type { McpClientTransport } from './client-transport.js';
import type { ConnectionSettings } from './connection-options.js';
import { inOrder } from './ordered-messages.js';
import { declaredCapabilities, type ServerNews, serveHandlers } from './serve-handlers.js';

/** Statuses with which servers of before 2025-03-26 answer a request at the address of their event stream. */
const OLDER_SERVER: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/** From opening a transport until it is closed or lost. A connection has one at a time. */
export class ClientSession {
  readonly client: Client;
  readonly transport: Transport;
  readonly kind: string;
  /** Nothing more can be asked of it. */
  dropped = false;
  /** What the transport complained of last that explains a loss. */
  fault: VernalError | undefined;
  #active = 0;
  #retired = false;
  #ending: Promise<void> | undefined;

  private constructor(client: Client, transport: Transport, kind: string, settings: ConnectionSettings) {
    this.client = client;
    this.transport = transport;
    this.kind = kind;
    client.onclose = () => {
      this.dropped = true;
    };
    client.onerror = (error) => {
      const fault = faultOf(error);
      if (fault !== undefined) this.fault = fault;
      settings.logger.debug('An MCP connection reports a problem', { connection: settings.name, error: error.name });
      // The event stream opens again by itself, but to another session, which does not know us.
      if (SseError.isInstance(error)) void this.close();
      // What the server says by itself is heard no more: the next request opens a session that hears it.
      if (/^Maximum reconnection attempts/.test(error.message)) this.retire();
    };
  }

  /** Starts the transport and greets the server. What fails leaves nothing open. */
  static async open(
    settings: ConnectionSettings,
    news: ServerNews,
    signal: AbortSignal,
    keepUnauthorized: (transport: Transport) => void,
  ): Promise<ClientSession> {
    const { transport } = settings;
    try {
      return await ClientSession.#openOne(transport, settings, news, signal, keepUnauthorized);
    } catch (error) {
      const { fallback } = transport;
      if (fallback === undefined || !OLDER_SERVER.has(httpStatusOf(error)) || signal.aborted) throw error;
      return await ClientSession.#openOne(fallback, settings, news, signal, keepUnauthorized);
    }
  }

  static async #openOne(
    { kind, open }: McpClientTransport,
    settings: ConnectionSettings,
    news: ServerNews,
    signal: AbortSignal,
    keepUnauthorized: (transport: Transport) => void,
  ): Promise<ClientSession> {
    const transport = inOrder(await openedBy(open, signal));
    const { clientInfo, protocol = 'legacy', connectTimeoutMs } = settings;
    const client = new Client(clientInfo, {
      capabilities: declaredCapabilities(settings),
      ...(protocol === 'legacy' ? undefined : { versionNegotiation: { mode: protocol } }),
    });
    const session = new ClientSession(client, transport, kind, settings);
    serveHandlers(client, settings, news);
    try {
      const opening = client.connect(transport, { timeout: connectTimeoutMs, signal });
      await untilAborted(opening, signal);
      return session;
    } catch (error) {
      session.dropped = true;
      if (error instanceof UnauthorizedError) keepUnauthorized(transport);
      await transport.close().catch(() => {});
      throw session.fault ?? error;
    }
  }

  /** It speaks a revision of 2026-07-28 or later. */
  get modern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  get busy(): boolean {
    return this.#active > 0;
  }

  /** Runs a request; a session that was retired meanwhile closes behind its last one. */
  async run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    this.#active++;
    try {
      return await work(this);
    } finally {
      this.#active--;
      if (this.#retired && this.#active === 0) void this.#end();
    }
  }

  /** Takes no more requests; those that are under way go on. */
  retire(): void {
    if (this.dropped) return;
    this.dropped = true;
    this.#retired = true;
    if (this.#active === 0) void this.#end();
  }

  /** Also tells a server with sessions that this one is over. Ends what is under way. */
  async close(): Promise<void> {
    const known = !this.dropped;
    this.dropped = true;
    const { transport } = this;
    const terminate: unknown = known ? Reflect.get(transport, 'terminateSession') : undefined;
    if (typeof terminate === 'function') {
      // A server that does not answer must not hold up the end of an application.
      const ended = Promise.resolve(Reflect.apply(terminate, transport, []));
      await untilAborted(ended, AbortSignal.timeout(2_000)).catch(() => {});
    }
    await this.#end();
  }

  #end(): Promise<void> {
    this.#ending ??= this.client
      .close()
      .catch(() => {})
      .then(() => this.transport.close())
      .catch(() => {});
    return this.#ending;
  }
}

/** A transport that comes when nobody waits any more is closed. */
async function openedBy(open: McpClientTransport['open'], signal: AbortSignal): Promise<Transport> {
  const opening = Promise.resolve(open());
  try {
    return await untilAborted(opening, signal);
  } catch (error) {
    if (signal.aborted) opening.then((late) => late.close()).catch(() => {});
    throw error;
  }
}

/** Of what a transport reports, that which made it give up. */
function faultOf(error: Error): VernalError | undefined {
  if (VernalError.is(error)) return error;
  return /exceeded maximum|maxBufferSize/i.test(error.message)
    ? new VernalError('The server sent a message that is too large: raise `maxMessageBytes`', {
        code: 'mcp_response',
        subject: 'maxMessageBytes',
      })
    : undefined;
}

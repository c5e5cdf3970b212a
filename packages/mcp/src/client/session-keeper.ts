import { type Transport, UnauthorizedError } from '@modelcontextprotocol/client';
import { abortError, type CallContext, retry, untilAborted, VernalError } from '@vernal/core';
import { type ClientErrorPlace, clientError, deliveryOf } from './client-error.js';
import { ClientSession } from './client-session.js';
import type { ConnectionSettings } from './connection-options.js';
import type { ServerNews } from './serve-handlers.js';

/** What has to be done again whenever a session is opened. */
export interface SessionListener {
  /** `again`: there was a session before, and whatever it was told is forgotten. */
  opened(session: ClientSession, again: boolean): Promise<void>;
}

/** How a request is to be sent again. */
export interface SendOptions extends CallContext {
  readonly method: string;
  readonly timeoutMs: number;
  /** It may run twice: sent again too when the connection broke while the server had it. */
  readonly repeatable: boolean;
}

/** Opens the session of a connection when it is needed, and anew when it was lost. */
export class SessionKeeper {
  readonly #settings: ConnectionSettings;
  readonly #news: ServerNews;
  readonly #listener: SessionListener;
  readonly #end = new AbortController();
  #session: ClientSession | undefined;
  /** Those before, as long as a request of theirs is under way. */
  readonly #retired = new Set<ClientSession>();
  #opening: Promise<ClientSession> | undefined;
  #opened = 0;
  #closing: Promise<void> | undefined;
  /** The transport of a connection that was sent to an authorisation server: it knows what it asked for. */
  #unauthorized: Transport | undefined;

  constructor(settings: ConnectionSettings, news: ServerNews, listener: SessionListener) {
    this.#settings = settings;
    this.#news = news;
    this.#listener = listener;
  }

  get session(): ClientSession | undefined {
    return this.#session?.dropped === false ? this.#session : undefined;
  }

  /** Aborted by `close()`. */
  get closing(): AbortSignal {
    return this.#end.signal;
  }

  get closed(): boolean {
    return this.#end.signal.aborted;
  }

  get unauthorized(): Transport | undefined {
    return this.#unauthorized;
  }

  /** The session of now, or one that is opened by a single try. Several callers share it; each waits as long as its own signal allows. */
  async open(signal: AbortSignal | undefined): Promise<ClientSession> {
    if (this.closed) throw closedError(this.#settings.name);
    const now = this.session;
    if (now !== undefined) return now;
    this.#opening ??= this.#openNew().finally(() => {
      this.#opening = undefined;
    });
    // Somebody has to look at it when every caller has gone.
    this.#opening.catch(() => {});
    return await untilAborted(this.#opening, signal);
  }

  /** Sends by `send`, over a new session where the old one is gone, by the policy of the connection. */
  async send<T>(options: SendOptions, send: (session: ClientSession) => Promise<T>): Promise<T> {
    const again = new WeakSet<VernalError>();
    let first: VernalError;
    try {
      return await this.#sendOnce(options, send, again);
    } catch (error) {
      if (!VernalError.is(error) || !again.has(error)) throw error;
      first = error;
    }
    return await retry(
      async (attempt) => {
        if (attempt === 1) throw first;
        return await this.#sendOnce(options, send, again);
      },
      { ...this.#settings.reconnect, retryable: (error) => VernalError.is(error) && again.has(error) },
      { signal: options.signal },
    );
  }

  async #sendOnce<T>(
    options: SendOptions,
    send: (session: ClientSession) => Promise<T>,
    again: WeakSet<VernalError>,
  ): Promise<T> {
    let session = this.session;
    try {
      session ??= await this.open(options.signal);
      return await session.run(send);
    } catch (thrown) {
      throw this.#failure(thrown, session, options, again);
    }
  }

  /** Settles when everything is closed, whoever began it. */
  async close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    await this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#end.abort(closedError(this.#settings.name));
    const opening = this.#opening;
    await Promise.all([...this.#retired, this.#session].map((session) => session?.close()));
    await this.#unauthorized?.close().catch(() => {});
    if (opening !== undefined) await (await opening.catch(() => undefined))?.close();
  }

  #failure(
    thrown: unknown,
    session: ClientSession | undefined,
    options: SendOptions,
    again: WeakSet<VernalError>,
  ): VernalError {
    if (this.closed && !options.signal?.aborted) return closedError(this.#settings.name);
    const hasSession = typeof Reflect.get(Object(session?.transport), 'sessionId') === 'string';
    const delivery = deliveryOf(thrown, hasSession);
    // A server may want more in the middle of a session, too.
    if (session !== undefined && thrown instanceof UnauthorizedError) this.#unauthorized = session.transport;
    const fault = session?.fault;
    if (delivery === 'session-expired' || delivery === 'session-lost') session?.retire();
    if (delivery === 'lost' && fault !== undefined) return fault;
    const error = clientError(thrown, this.#place(options, hasSession));
    const safe =
      delivery === 'not-delivered' || delivery === 'session-expired' || (delivery !== 'final' && options.repeatable);
    // Failures of opening come here as errors of ours.
    if (!options.signal?.aborted && (safe || (session === undefined && error.retryable))) again.add(error);
    return error;
  }

  async #openNew(): Promise<ClientSession> {
    const { connectTimeoutMs, name } = this.#settings;
    const tooLong = new AbortController();
    const timer = setTimeout(() => {
      tooLong.abort(
        new VernalError(
          `MCP server '${name}' was not ready within ${connectTimeoutMs} ms: raise \`connectTimeoutMs\``,
          {
            code: 'timeout',
            subject: 'connectTimeoutMs',
            retryable: true,
          },
        ),
      );
    }, connectTimeoutMs);
    const signal = AbortSignal.any([this.#end.signal, tooLong.signal]);
    try {
      const again = this.#opened > 0;
      const session = await ClientSession.open(this.#settings, this.#news, signal, (transport) => {
        this.#unauthorized = transport;
      });
      if (this.closed) {
        await session.close();
        throw closedError(name);
      }
      this.#opened++;
      if (this.#session !== undefined) this.#retired.add(this.#session);
      for (const old of this.#retired) if (!old.busy) this.#retired.delete(old);
      this.#session = session;
      this.#unauthorized = undefined;
      await this.#listener.opened(session, again);
      return session;
    } catch (thrown) {
      if (signal.aborted) throw abortError(signal);
      throw openingError(
        thrown,
        this.#place({ method: 'initialize', timeoutMs: connectTimeoutMs }, false),
        this.#settings.transport.kind,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #place(options: Pick<SendOptions, 'method' | 'timeoutMs' | 'signal'>, hasSession: boolean): ClientErrorPlace {
    const { name, serverMessages } = this.#settings;
    const { method, timeoutMs, signal } = options;
    return { connection: name, method, hasSession, timeoutMs, serverMessages, signal };
  }
}

/** A process that cannot be started, an address where nobody listens, a server that is none. */
function openingError(thrown: unknown, place: ClientErrorPlace, kind: string): VernalError {
  const error = clientError(thrown, place);
  if (error.code !== 'mcp_connection' && error.code !== 'mcp_response') return error;
  const missing = typeof thrown === 'object' && thrown !== null && Reflect.get(thrown, 'code') === 'ENOENT';
  const message = missing
    ? `MCP server '${place.connection}' cannot be started (ENOENT): check \`command\`, and that it is on the PATH`
    : error.code === 'mcp_connection' && error.details['delivered'] === 'unknown'
      ? `MCP server '${place.connection}' ended the connection before it answered: ${
          kind === 'stdio'
            ? 'look at what it writes to its standard error'
            : 'check its address, and that it speaks MCP there'
        }`
      : error.message;
  const { code, details, subject } = error;
  // Nothing was asked yet, so another try repeats nothing.
  const retryable = code === 'mcp_connection' && !missing;
  return new VernalError(message, { code, details, subject, retryable, cause: error.cause });
}

function closedError(connection: string): VernalError {
  return new VernalError(`The connection to MCP server '${connection}' is closed: make a new one`, {
    code: 'invalid_state',
    subject: 'connection',
    details: { connection },
  });
}

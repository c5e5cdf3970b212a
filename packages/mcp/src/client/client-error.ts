import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { abortError, isRecord, type JsonValue, safeCause, VernalError } from '@vernal/core';
import { STREAM_ENDED } from './stream-ended.js';

/** What a failed request means for whoever wants to send it again. */
export type Delivery =
  /** It never reached the server, or the server refused to look at it: sending it again is safe. */
  | 'not-delivered'
  /** The same, and the server has forgotten the session. */
  | 'session-expired'
  /** The connection broke while the server had it, or something on the way gave up: it may have run. */
  | 'lost'
  /** The same, and the server may have forgotten the session. */
  | 'session-lost'
  /** It was answered, or given up. */
  | 'final';

/** Where it failed. */
export interface ClientErrorPlace {
  readonly connection: string;
  readonly method: string;
  readonly hasSession: boolean;
  readonly timeoutMs: number;
  /** Puts the server's own words into the message; they may hold anything. */
  readonly serverMessages: boolean;
  readonly signal?: AbortSignal | undefined;
}

const NOT_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Proxies answer so whether the server behind them had the request or not. */
const GAVE_UP: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** How far down a chain of causes is looked: fetch hides the socket's error one or two levels deep. */
const MAX_CAUSES = 4;

/** Whether the request may be sent again. */
export function deliveryOf(thrown: unknown, hasSession: boolean): Delivery {
  if (thrown instanceof ProtocolError) {
    if (thrown.data === STREAM_ENDED) return 'lost';
    // Some servers say in JSON-RPC that they know no such session.
    return 'final';
  }
  const status = httpStatusOf(thrown);
  if (status !== undefined) {
    if (hasSession && status === 404) return 'session-expired';
    // Some servers say so, but a tool that has run may have such words, too.
    if (hasSession && status === 400 && namesSession(thrown)) return 'session-lost';
    return GAVE_UP.has(status) ? 'lost' : 'final';
  }
  if (SdkError.isInstance(thrown)) {
    if (thrown.code === SdkErrorCode.NotConnected || thrown.code === SdkErrorCode.SendFailed) return 'not-delivered';
    return thrown.code === SdkErrorCode.ConnectionClosed ? 'lost' : 'final';
  }
  if (VernalError.is(thrown)) return 'final';
  if (thrown instanceof Error && thrown.message === 'Not connected') return 'not-delivered';
  const code = platformCodeOf(thrown);
  if (code !== undefined) return NOT_SENT.has(code) ? 'not-delivered' : 'lost';
  // What fetch throws when there is no answer.
  return thrown instanceof TypeError ? 'lost' : 'final';
}

/** Any failure of a request as a `VernalError`: codes `mcp_protocol`, `mcp_unauthorized`, `mcp_connection`, `mcp_response`, `timeout`, `aborted`. */
export function clientError(thrown: unknown, place: ClientErrorPlace): VernalError {
  const { connection, method, signal } = place;
  if (signal?.aborted) return abortError(signal);
  if (VernalError.is(thrown)) return thrown;
  const server = `MCP server '${connection}'`;
  const cause = quietCause(thrown);
  const delivery = deliveryOf(thrown, place.hasSession);
  if (thrown instanceof ProtocolError && delivery === 'final') {
    const words = place.serverMessages ? `: ${thrown.message}` : '';
    return new VernalError(`${server} answered ${method} with the protocol error ${thrown.code}${words}`, {
      code: 'mcp_protocol',
      subject: method,
      details: { connection, method, errorCode: thrown.code, ...errorData(thrown) },
      cause,
    });
  }
  const status = httpStatusOf(thrown);
  if (thrown instanceof UnauthorizedError || isAuthFailure(thrown) || status === 401 || status === 403) {
    return new VernalError(
      `${server} wants an authorisation: give its transport \`auth\` or \`headers\`, and after a redirect call finishAuth()`,
      { code: 'mcp_unauthorized', subject: 'auth', details: { connection }, cause },
    );
  }
  if (SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout) {
    return new VernalError(
      `${server} did not answer ${method} within ${place.timeoutMs} ms: raise \`requestTimeoutMs\``,
      {
        code: 'timeout',
        subject: 'requestTimeoutMs',
        details: { connection, method },
        cause,
      },
    );
  }
  if (SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.CapabilityNotSupported) {
    return new VernalError(`${server} does not offer what ${method} needs: look at \`serverCapabilities\` first`, {
      code: 'unsupported_capability',
      subject: method,
      details: { connection },
      cause,
    });
  }
  if (delivery !== 'final' || status !== undefined || platformCodeOf(thrown) !== undefined) {
    return connectionError(thrown, place, delivery);
  }
  return new VernalError(`${server} answered ${method} with what is no valid answer of the protocol`, {
    code: 'mcp_response',
    subject: method,
    details: { connection, method },
    cause,
  });
}

function connectionError(thrown: unknown, place: ClientErrorPlace, delivery: Delivery): VernalError {
  const { connection, method } = place;
  const status = httpStatusOf(thrown);
  const why = status ?? platformCodeOf(thrown);
  const because = why === undefined ? '' : ` (${why})`;
  const unknown = delivery === 'lost' || delivery === 'session-lost' || (status !== undefined && status >= 500);
  const message = unknown
    ? `${
        status === undefined
          ? `The connection to MCP server '${connection}' broke during ${method}${because}`
          : `MCP server '${connection}' answered ${method} with the status ${status}`
      }: the request may have been carried out or not`
    : `MCP server '${connection}' cannot be reached${because}: check that it runs, and its address or command`;
  return new VernalError(message, {
    code: 'mcp_connection',
    subject: 'transport',
    details: { connection, method, delivered: unknown ? 'unknown' : 'no' },
    retryable: delivery === 'not-delivered' || delivery === 'session-expired',
    cause: quietCause(thrown),
  });
}

/** Of whatever kind: the official client marks what failed on the way to a token. */
function isAuthFailure(thrown: unknown): boolean {
  return Reflect.get(Object(thrown), Symbol.for('mcp.authSeamEscape')) === true;
}

/** A cause without the words of the server. The official client gives its errors codes that look like a platform's, and quotes. */
export function quietCause(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || VernalError.is(thrown)) return safeCause(thrown);
  const { name, message, stack, cause } = thrown;
  const isOfClient = SdkError.isInstance(thrown) || thrown instanceof ProtocolError;
  return isOfClient ? safeCause({ name, message, stack, cause }) : safeCause(thrown);
}

/** The status of an HTTP answer. */
export function httpStatusOf(thrown: unknown): number | undefined {
  if (SdkHttpError.isInstance(thrown)) return thrown.status;
  // The transport for SSE says it in words only.
  const found = thrown instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(thrown.message) : null;
  if (found !== null) return Number(found[1]);
  return SseError.isInstance(thrown) ? thrown.code : undefined;
}

function namesSession(thrown: unknown): boolean {
  return thrown instanceof Error && /session/i.test(thrown.message);
}

function platformCodeOf(thrown: unknown): string | undefined {
  let current: unknown = thrown;
  for (let i = 0; i < MAX_CAUSES && typeof current === 'object' && current !== null; i++) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string' && /^(E[A-Z]{3,}|UND_ERR_[A-Z_]+)$/.test(code)) return code;
    current = Reflect.get(current, 'cause');
  }
  return undefined;
}

/** Of the data of an error, what a caller acts on: what capability is missing, where a person has to go. */
function errorData({ data }: ProtocolError): Record<string, JsonValue> {
  if (!isRecord(data)) return {};
  const urls = Array.isArray(data['elicitations'])
    ? data['elicitations'].flatMap((one) => (isRecord(one) && typeof one['url'] === 'string' ? [one['url']] : []))
    : [];
  return urls.length === 0 ? {} : { elicitationUrls: urls };
}

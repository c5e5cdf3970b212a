import { type ModelErrorPlace, type ProviderConnection, RequestTimeout, readAnswer } from '@vernal/core/adapter';
import { wordsOf } from './reported-error.js';

/** How to reach an Ollama server. Nothing is read from the environment. */
export interface OllamaConnection extends ProviderConnection {
  /** Address without a path. Default `http://127.0.0.1:11434`. A gateway before it takes its key in `headers`. */
  readonly baseURL?: string | undefined;
  /**
   * Milliseconds a request may take, its body included; of a stream, until it begins, and then each silence of the server. Default none: a
   * model that has to be loaded takes its time.
   */
  readonly timeoutMs?: number | undefined;
}

/** How errors name the provider. */
export const OLLAMA = { provider: 'ollama', name: 'Ollama' } as const;

/** An answer that is not a success, in the shape that `modelErrorFrom` reads. */
export class OllamaAnswerError extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, message: string) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** A request that is sent to the server. */
export interface OllamaCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/${string}`;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives the response once its headers are there, however long that takes. Throws `OllamaAnswerError` for any status but 2xx.
 *
 * The protocol is one request and one line of JSON a chunk, so `fetch` is enough: the `ollama` package aborts every call of a client at
 * once, drops the headers, and writes to the console.
 */
export async function requestOllama(
  connection: OllamaConnection,
  { method, path, body, signal }: OllamaCall,
): Promise<Response> {
  const url = `${(connection.baseURL ?? 'http://127.0.0.1:11434').replace(/\/+$/, '')}${path}`;
  const response = await (connection.fetch ?? globalThis.fetch)(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...connection.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw new OllamaAnswerError(response.status, response.headers, await errorText(response));
  return response;
}

/** What `read` makes of a response, all within `timeoutMs`. The signal is one of the request's own, so a long-lived one collects nothing. */
export async function askOllama<T>(
  connection: OllamaConnection,
  call: OllamaCall,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const timeout = new RequestTimeout(connection.timeoutMs, call.signal);
  try {
    return await timeout.within(requestOllama(connection, { ...call, signal: timeout.signal }).then(read));
  } finally {
    timeout.stop();
  }
}

/** What `read` makes of a whole JSON body. A connection that breaks is the connection's error, a body that cannot be read the answer's. */
export async function readBody<T>(response: Response, place: ModelErrorPlace, read: (body: unknown) => T): Promise<T> {
  const text = await response.text();
  return readAnswer(place, () => read(JSON.parse(text)));
}

async function errorText(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? wordsOf(Reflect.get(body, 'error')) : '';
  } catch {
    return '';
  }
}

import type { ProviderConnection } from '@vernal/core';

/** How to reach an Ollama server. Nothing is read from the environment. */
export interface OllamaConnection extends ProviderConnection {
  /** Address without a path. Default `http://127.0.0.1:11434`. A gateway before it takes its key in `headers`. */
  readonly baseURL?: string | undefined;
  /** Milliseconds until the answer begins. Default none: a model that has to be loaded takes its time. */
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

/**
 * Posts JSON and gives the response once its headers are there. Throws `OllamaAnswerError` for any status but 2xx.
 *
 * The protocol is one request and one line of JSON a chunk, so `fetch` is enough: the `ollama` package aborts every call of a client at
 * once, drops the headers, and writes to the console.
 */
export async function postToOllama(
  connection: OllamaConnection,
  path: '/api/chat' | '/api/embed',
  body: object,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${(connection.baseURL ?? 'http://127.0.0.1:11434').replace(/\/+$/, '')}${path}`;
  const timer = startTimer(connection.timeoutMs, signal);
  try {
    const response = await (connection.fetch ?? globalThis.fetch)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...connection.headers },
      body: JSON.stringify(body),
      signal: timer.signal,
    });
    if (!response.ok) throw new OllamaAnswerError(response.status, response.headers, await errorText(response));
    return response;
  } finally {
    timer.clear();
  }
}

/** A time-out that ends with the headers and not with the body. */
function startTimer(ms: number | undefined, signal: AbortSignal): { readonly signal: AbortSignal; clear(): void } {
  if (ms === undefined) return { signal, clear: () => undefined };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('The time is over', 'TimeoutError')), ms);
  return { signal: AbortSignal.any([signal, late.signal]), clear: () => clearTimeout(timer) };
}

async function errorText(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? String(Reflect.get(body, 'error') ?? '') : '';
  } catch {
    return '';
  }
}

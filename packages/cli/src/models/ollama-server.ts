import { usageError } from '../usage-error.js';
import { type Environment, setting } from './environment.js';

const PATIENCE_MS = 500;

/** The address of the Ollama server, from OLLAMA_HOST in the ways that Ollama reads it: with or without scheme, host and port. */
export function ollamaAddress(env: Environment): string {
  const host = setting(env, 'OLLAMA_HOST');
  if (host === undefined) return 'http://127.0.0.1:11434';
  const hasScheme = /^https?:\/\//i.test(host);
  const text = hasScheme ? host : `http://${host.startsWith(':') ? '127.0.0.1' : ''}${host}`;
  if (!URL.canParse(text)) throw usageError('OLLAMA_HOST is no address: write it as host:port', 'OLLAMA_HOST');
  const url = new URL(text);
  // Where a server listens on every interface, a client takes this one.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !hasScheme) url.port = '11434';
  return url.origin;
}

interface Tags {
  readonly models?: readonly { readonly name?: string; readonly details?: { readonly family?: string } }[];
}

/** The first chat model of a running server; undefined when none answers within half a second, or it has none. */
export async function ollamaChatModelName(address: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(`${address}/api/tags`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const { models } = (await response.json()) as Tags;
    return models?.find(isChatModel)?.name;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The list does not say what a model is for: embedding models are known by their names and families. */
function isChatModel({ name = '', details }: NonNullable<Tags['models']>[number]): boolean {
  return name !== '' && !/embed|minilm|bge-/i.test(name) && !/bert/i.test(details?.family ?? '');
}

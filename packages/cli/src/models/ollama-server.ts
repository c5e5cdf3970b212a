/** The address of the Ollama server, in the ways that OLLAMA_HOST is written. */
export function ollamaAddress(env: Readonly<Record<string, string | undefined>>): string {
  const host = env['OLLAMA_HOST']?.trim();
  if (host === undefined || host === '') return 'http://127.0.0.1:11434';
  const url = new URL(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.origin;
}

interface Tags {
  readonly models?: readonly { readonly name?: string; readonly details?: { readonly family?: string } }[];
}

/** The first chat model of a running server; undefined when none answers within half a second, or it has none. */
export async function ollamaChatModelName(address: string, signal?: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.timeout(500);
  try {
    const response = await fetch(`${address}/api/tags`, {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    if (!response.ok) return undefined;
    const { models = [] } = (await response.json()) as Tags;
    return models.find(
      ({ name, details }) => !/embed|minilm|bge-/i.test(name ?? '') && !/bert/i.test(details?.family ?? ''),
    )?.name;
  } catch {
    return undefined;
  }
}

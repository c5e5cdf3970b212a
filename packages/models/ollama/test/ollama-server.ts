import { type BodyPart, type MockReply, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { ollamaChatWire, ollamaEmbedWire } from '@vernal/testing/wires';

/** Answers the n-th pull, counted from 0. Left out, a pull succeeds. */
export type PullScript = (model: string, attempt: number) => MockReply;

/** The management part of an Ollama server, with models that are pulled and deleted. */
export interface OllamaServer extends MockServer {
  /** With their tags. */
  readonly models: Set<string>;
  /** Paths that were asked for, in order. */
  paths(): string[];
}

const named = (name: string): string => (name.includes(':') ? name : `${name}:latest`);

/** Lines of `POST /api/pull`. Source: https://docs.ollama.com/api/pull */
export function pullLines(...events: readonly (object | BodyPart)[]): MockReply {
  const parts = events.map(
    (event): BodyPart =>
      typeof event === 'string' || event instanceof Uint8Array || 'hold' in event || 'end' in event
        ? (event as BodyPart)
        : `${JSON.stringify(event)}\n`,
  );
  return { headers: { 'content-type': 'application/x-ndjson' }, parts };
}

export const PULLED: readonly object[] = [
  { status: 'pulling manifest' },
  { status: 'pulling 8934d96d3f08', digest: 'sha256:8934d96d3f08', total: 2019377376 },
  { status: 'pulling 8934d96d3f08', digest: 'sha256:8934d96d3f08', total: 2019377376, completed: 1000000000 },
  { status: 'verifying sha256 digest' },
  { status: 'writing manifest' },
  { status: 'success' },
];

/**
 * Sources: https://docs.ollama.com/api/tags, https://docs.ollama.com/api/ps, https://docs.ollama.com/openapi.yaml,
 * https://docs.ollama.com/api/pull and https://docs.ollama.com/api/delete
 */
export async function startOllama(installed: readonly string[] = [], pull?: PullScript): Promise<OllamaServer> {
  const models = new Set(installed.map(named));
  let pulls = 0;
  const missing = (model: string): MockReply => ({ status: 404, json: { error: `model '${model}' not found` } });
  const server = await startMockServer((request): MockReply => {
    const body = (request.json ?? {}) as { readonly model?: string; readonly stream?: boolean };
    const model = named(body.model ?? '');
    switch (`${request.method} ${request.path}`) {
      case 'GET /api/tags':
        return { json: { models: [...models].map(tag) } };
      case 'GET /api/ps':
        return { json: { models: [...models].map(running) } };
      case 'POST /api/show':
        return models.has(model) ? { json: SHOWN } : missing(model);
      case 'DELETE /api/delete':
        return models.delete(model) ? { parts: [], headers: {} } : missing(model);
      case 'POST /api/pull': {
        const attempt = pulls++;
        if (pull !== undefined) return pull(model, attempt);
        models.add(model);
        return pullLines(...PULLED);
      }
      case 'POST /api/chat':
        if (!models.has(model)) return missing(model);
        return body.stream ? ollamaChatWire.stream(['ok']) : ollamaChatWire.call(['ok']);
      case 'POST /api/embed':
        return models.has(model) ? ollamaEmbedWire.call(request.json) : missing(model);
      default:
        return { status: 405, json: { error: 'method not allowed' } };
    }
  });
  const paths = (): string[] => server.requests.map(({ path }) => path);
  return Object.defineProperties(server, { models: { value: models }, paths: { value: paths } }) as OllamaServer;
}

const DETAILS = {
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '3.2B',
  quantization_level: 'Q4_K_M',
};

const tag = (name: string): object => ({
  name,
  model: name,
  modified_at: '2025-05-04T17:37:44.706015396-07:00',
  size: 2019393189,
  digest: 'a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72',
  details: { parent_model: '', ...DETAILS },
});

const running = (name: string): object => ({
  name,
  model: name,
  size: 5137025024,
  digest: '2ae6f6dd7a3d',
  details: { parent_model: '', ...DETAILS },
  expires_at: '2025-06-04T14:38:31.83753-07:00',
  size_vram: 5137025024,
  context_length: 4096,
});

const SHOWN = {
  parameters: 'temperature 0.7\nnum_ctx 2048',
  license: 'Llama 3.2 Community License',
  template: '{{ .Prompt }}',
  modified_at: '2025-08-14T15:49:43.634137516-07:00',
  details: { parent_model: '', ...DETAILS },
  capabilities: ['completion', 'tools'],
  model_info: { 'general.architecture': 'llama', 'llama.context_length': 131072 },
};

// A provider for the READMEs' examples: answers every protocol with the same short sentence, over real HTTP on the loopback address.
import { spawn } from 'node:child_process';

const answer = 'Hello from the provider.';

/**
 * @param {{ startMockServer: Function }} mockServer the module `@vernal/testing/mock-server`
 * @param {Record<string, any>} wires the module `@vernal/testing/wires`
 */
export async function exampleServer({ startMockServer }, wires) {
  const chat = (wire) => (body) => (body.stream ? wire.stream([answer]) : wire.call([answer]));
  const routes = {
    '/v1/chat/completions': chat(wires.openAiChatWire),
    '/v1/embeddings': (body) => wires.openAiEmbeddingsWire.call(body),
    '/v1/messages': chat(wires.anthropicMessagesWire),
    '/api/chat': chat(wires.ollamaChatWire),
    '/api/embed': (body) => wires.ollamaEmbedWire.call(body),
  };
  const server = await startMockServer((request) => {
    const route = routes[request.path.split('?')[0]];
    return route ? route(request.json) : { status: 404, json: { error: { message: `no such path: ${request.path}` } } };
  });
  const environment = {
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: server.url,
    OLLAMA_HOST: server.url,
  };
  return {
    url: server.url,
    environment,
    /** Runs a command with the environment of this server; resolves when it ends. */
    spawn(command, args, { env, ...options }) {
      return new Promise((resolve) => {
        const child = spawn(command, args, { ...options, env: { ...env, ...environment }, timeout: 60_000 });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (data) => (stdout += data));
        child.stderr.on('data', (data) => (stderr += data));
        child.on('error', (error) => resolve({ status: 1, stdout, stderr: String(error) }));
        child.on('close', (status) => resolve({ status: status ?? 1, stdout, stderr }));
      });
    },
    close: () => server.close(),
  };
}

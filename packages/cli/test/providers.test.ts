import { type JsonReply, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, ollamaChatWire, openAiChatWire, WIRE_SECRET } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const files = { 'a.md': '# Ferries\n\nThe ferry to Skerry sails at noon.\n\n# Other\n\nNothing here.' };
const question = 'When does the ferry to Skerry sail?';
const step = { text: 'At noon [1].', usage: { promptTokens: 11, completionTokens: 4 } };
const tags = (...names: string[]): JsonReply => ({
  json: {
    models: names.map((name) => ({ name, details: { family: name.startsWith('nomic') ? 'nomic-bert' : 'llama' } })),
  },
});

/** Environments in which each provider is the one that a user would get. */
const providers = [
  {
    provider: 'openai',
    wire: openAiChatWire,
    env: ({ url }: MockServer) => ({
      OPENAI_API_KEY: 'sk-mine',
      OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_API_KEY: 'other',
    }),
    path: '/v1/chat/completions',
    model: 'gpt-5-mini',
    reason: 'OPENAI_API_KEY is set',
  },
  {
    provider: 'anthropic',
    wire: anthropicMessagesWire,
    env: ({ url }: MockServer) => ({ ANTHROPIC_API_KEY: 'sk-mine', ANTHROPIC_BASE_URL: url, OPENAI_API_KEY: ' ' }),
    path: '/v1/messages',
    model: 'claude-haiku-4-5',
    reason: 'ANTHROPIC_API_KEY is set',
  },
] as const;

it('asks a server that speaks the OpenAI API when only its address is set, without a key', async () => {
  await using folder = await temporaryFolder(files);
  await using server = await startMockServer([openAiChatWire.stream([step])]);
  const env = { OPENAI_BASE_URL: `${server.url}/v1` };
  const { code, out, err } = await run(['ask', '--docs', 'a.md', question], { cwd: folder.path, env });
  expect([code, out]).toEqual([0, 'At noon [1].\n\n[1] a.md — Ferries\n']);
  expect(err).toContain('since OPENAI_BASE_URL is set');
  server.assertComplete();
});

it.each([
  ['OPENAI', 'openai', openAiChatWire],
  ['ANTHROPIC', 'anthropic', anthropicMessagesWire],
] as const)(
  'names the variable when a server behind %s_BASE_URL wants a key and none is set',
  async (prefix, model, wire) => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(() => wire.error('authentication'));
    const env = { [`${prefix}_BASE_URL`]: server.url };
    const args = ['ask', '--docs', 'a.md', '--model', model, question];
    const { code, out, err } = await run(args, { cwd: folder.path, env });
    expect([code, out]).toEqual([1, '']);
    expect(err.split('\n').at(-2)).toBe(`The server at ${prefix}_BASE_URL wants a key: set ${prefix}_API_KEY.`);
  },
);

describe.each(providers)('$provider', ({ provider, wire, env, path, model, reason }) => {
  it('answers from the documents when its key is set, streaming, with the key in the header only', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([wire.stream([step])]);
    const args = ['ask', '--docs', 'a.md', question];
    const { code, out, err } = await run(args, { cwd: folder.path, env: env(server) });
    expect([code, out]).toEqual([0, 'At noon [1].\n\n[1] a.md — Ferries\n']);
    expect(err).toMatch(new RegExp(`\\nAnswering with ${provider}:${model}, since ${reason}\\n$`));
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path, json: { model, stream: true } });
    expect(request?.headers['authorization']).toBe('Bearer sk-mine');
    expect(request?.text).not.toContain('sk-mine');
    const sent = wire.request(request?.json).messages;
    expect(sent.at(-1)?.type).toBe('user');
    expect(JSON.stringify(sent.at(-1))).toContain('The ferry to Skerry sails at noon.');
    expect(JSON.stringify(sent.at(-1))).toContain(question);
    server.assertComplete();
  });

  it('is sent the model that --model names, and counts its tokens', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([wire.stream([step])]);
    const args = ['ask', '--json', '--docs', 'a.md', '--model', `${provider}:some/model:7b`, question];
    const { json } = await run(args, { cwd: folder.path, env: env(server) });
    expect(server.requests[0]?.json).toMatchObject({ model: 'some/model:7b' });
    expect(json.at(-1)).toMatchObject({ type: 'answer', usage: { promptTokens: 11, completionTokens: 4 } });
  });

  it.each([
    [
      'authentication',
      /^The key was refused by \w+ \(40[13].*\): check \w+_API_KEY, or take another model with --model\.$/,
    ],
    ['not-found', /^\w+ does not know the model or the address \(404.*\): check --model and \w+_BASE_URL\.$/],
    ['bad-request', /^\w+ refused the request \(400.*\): take another model with --model\.$/],
  ] as const)('fails with one sentence at %s', async (kind, sentence) => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(() => wire.error(kind));
    const { code, out, err } = await run(['ask', '--docs', 'a.md', question], { cwd: folder.path, env: env(server) });
    expect([code, out]).toEqual([1, '']);
    const last = err.trimEnd().split('\n').at(-1);
    expect(last).toMatch(sentence);
    for (const secret of ['sk-mine', WIRE_SECRET, 'Skerry', '    at ']) expect(err).not.toContain(secret);
  });

  it('says that it cannot be reached', async () => {
    await using folder = await temporaryFolder(files);
    const server = await startMockServer();
    await server.close();
    const args = ['ask', '--json', '--docs', 'a.md', question];
    const { code, json } = await run(args, { cwd: folder.path, env: env(server) });
    expect(code).toBe(1);
    expect(json.at(-1)).toEqual({
      type: 'error',
      code: 'model_connection',
      message: expect.stringMatching(
        /^Cannot reach the provider \w+: check the network and \w+_BASE_URL, or work without it with --model local\.$/,
      ),
    });
  });

  it('keeps what came before an answer broke, and says that it is not whole', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(() => wire.error('mid-stream'));
    const { code, out, err } = await run(['ask', '--docs', 'a.md', question], { cwd: folder.path, env: env(server) });
    expect([code, out]).toEqual([1, 'partial\n']);
    expect(err).toMatch(/in the middle of its answer: try again\.\n$|middle of the answer: try again\.\n$/);
  });
});

describe('an answer', () => {
  const env = ({ url }: MockServer): Record<string, string> => ({ OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: url });

  it('without citations shows what was found for it', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.stream(['At noon.'])]);
    const { out } = await run(['ask', '--docs', '.', question], { cwd: folder.path, env: env(server) });
    expect(out).toBe(
      'At noon.\n\nThe answer cites nothing; these passages were found for it:\n[1] a.md — Ferries\n[2] a.md — Other\n',
    );
  });

  it('that was cut says so', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(() =>
      openAiChatWire.stream([{ text: 'At [1, 2]', finishReason: 'length' }]),
    );
    const options = { cwd: folder.path, env: env(server) };
    const { out } = await run(['ask', '--docs', '.', question], options);
    expect(out).toBe(
      'At [1, 2]\n(The answer was cut at the limit of tokens.)\n\n[1] a.md — Ferries\n[2] a.md — Other\n',
    );
    const { json } = await run(['ask', '--json', '--docs', '.', question], options);
    expect(json.at(-1)).toMatchObject({ isCut: true });
  });

  it('of no words says so', async () => {
    await using server = await startMockServer([openAiChatWire.stream([''])]);
    const { code, out } = await run(['ask', question], { cwd: '/', env: env(server) });
    expect([code, out]).toEqual([0, '(The model answered nothing.)\n']);
  });

  it('needs no documents from a model that knows something itself', async () => {
    await using server = await startMockServer([openAiChatWire.stream(['Four.'])]);
    const { code, out, err } = await run(['ask', 'What is two and two?'], { cwd: '/', env: env(server) });
    expect([code, out]).toEqual([0, 'Four.\n']);
    expect(err).toMatch(/^Answering with openai:gpt-5-mini/);
    expect(openAiChatWire.request(server.requests[0]?.json).messages).toMatchObject([
      { type: 'user', text: 'What is two and two?' },
    ]);
  });

  it('has debug lines with --verbose, without contents', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.stream([step])]);
    const { err } = await run(['ask', '--verbose', '--docs', '.', question], { cwd: folder.path, env: env(server) });
    expect(err).toContain("read { source: 'a.md' }\n");
    expect(err).toMatch(/answered \{ passages: 2, usage: \{ promptTokens: 11, completionTokens: 4.*\} \}\n/);
    for (const content of ['Skerry', 'noon', 'sk-mine']) expect(err).not.toContain(content);
  });

  it('has the causes of its failure with --verbose', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer();
    const address = server.url.slice('http://'.length);
    await server.close();
    const args = ['ask', '--verbose', '--docs', '.', '--model', 'ollama:llama3.2', question];
    const { code, err } = await run(args, { cwd: folder.path, env: { OLLAMA_HOST: address } });
    expect(code).toBe(1);
    expect(err).toMatch(/\nCannot reach the provider Ollama: check the network and OLLAMA_HOST, or work without it/);
    expect(err).toMatch(/\n {4}at .*\nCaused by: [\s\S]*ECONNREFUSED/);
  });
});

describe('ollama', () => {
  it.each([
    ['with a scheme', (url: string) => url],
    ['without a scheme', (url: string) => url.replace('http://', '')],
    ['where it listens on every interface', (url: string) => url.replace('http://127.0.0.1', '0.0.0.0')],
    ['with a port alone', (url: string) => url.replace('http://127.0.0.1', '')],
  ])('answers with its first chat model when no key is set: OLLAMA_HOST %s', async (_how, host) => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([
      tags('nomic-embed-text:latest', 'mxbai-embed-large:latest', 'llama3.2:latest', 'qwen3:8b'),
      ollamaChatWire.stream([step]),
    ]);
    const { code, out, err } = await run(['ask', '--docs', '.', question], {
      cwd: folder.path,
      env: { OLLAMA_HOST: host(server.url) },
    });
    expect([code, out]).toEqual([0, 'At noon [1].\n\n[1] a.md — Ferries\n']);
    expect(err).toContain(`Answering with ollama:llama3.2:latest, since an Ollama server answers at ${server.url}\n`);
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/tags', '/api/chat']);
    expect(server.requests[1]?.json).toMatchObject({ model: 'llama3.2:latest' });
  });

  it.each([
    ['has only embedding models', tags('nomic-embed-text:latest')],
    ['has no model', { json: { models: null } }],
    ['is another server', { parts: ['<html>'] }],
    ['fails', { status: 500, json: {} }],
  ])('is passed over when the server %s', async (_what, reply) => {
    await using folder = await temporaryFolder({ 'a.md': 'The ferry to Skerry sails at noon.' });
    await using server = await startMockServer([reply]);
    const args = ['ask', '--json', '--docs', '.', question];
    const { json } = await run(args, { cwd: folder.path, env: { OLLAMA_HOST: server.url } });
    expect(json[0]).toMatchObject({
      provider: 'local',
      reason: 'no key is set and no Ollama server with a chat model answers',
    });
    expect(json.at(-1)).toMatchObject({ text: 'The ferry to Skerry sails at noon. [1]' });
    server.assertComplete();
  });

  it('is not asked when --model names another', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([]);
    await run(['ask', '--docs', '.', '--model', 'local', question], {
      cwd: folder.path,
      env: { OLLAMA_HOST: server.url },
    });
    server.assertComplete();
  });
});

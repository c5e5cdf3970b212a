import { startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { run } from './run.js';

const cwd = '/';
const env = {
  OPENAI_API_KEY: 'sk-secret-one',
  ANTHROPIC_API_KEY: 'sk-secret-two',
  OPENAI_BASE_URL: 'https://me:password@models.example/v1',
};

describe('doctor', () => {
  it('shows what is set, what would be used and why, and no secret', async () => {
    const { code, out, err } = await run(['doctor'], { cwd, env });
    expect([code, err]).toEqual([0, '']);
    const facts = new Map(
      out
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, 20).trim(), line.slice(20)]),
    );
    expect(Object.fromEntries(facts)).toEqual({
      Vernal: expect.stringMatching(/^\d+\.\d+\.\d+/),
      'Node.js': process.version,
      OPENAI_API_KEY: 'set',
      ANTHROPIC_API_KEY: 'set',
      OPENAI_BASE_URL: 'https://…@models.example/v1',
      ANTHROPIC_BASE_URL: 'not set',
      OLLAMA_HOST: '127.0.0.1:9',
      'Ollama server': 'none with a chat model at http://127.0.0.1:9',
      'Chat model': 'openai:gpt-5-mini, since OPENAI_API_KEY is set',
      'Embedding model': 'local:words, since it is the default',
    });
    for (const secret of ['secret', 'password']) expect(out).not.toContain(secret);
  });

  it('looks for an Ollama server, and says it in JSON', async () => {
    await using server = await startMockServer(() => ({ json: { models: [{ name: 'qwen3:8b' }] } }));
    const { json } = await run(['doctor', '--json'], { cwd, env: { OLLAMA_HOST: server.url } });
    expect(json).toEqual([
      {
        type: 'doctor',
        vernal: expect.any(String),
        node: process.version,
        environment: {
          OPENAI_API_KEY: 'not set',
          ANTHROPIC_API_KEY: 'not set',
          OPENAI_BASE_URL: 'not set',
          ANTHROPIC_BASE_URL: 'not set',
          OLLAMA_HOST: server.url,
        },
        ollama: `${server.url}, first chat model qwen3:8b`,
        chatModel: { provider: 'ollama', name: 'qwen3:8b', reason: `an Ollama server answers at ${server.url}` },
        embeddingModel: { provider: 'local', name: 'words', reason: 'it is the default' },
      },
    ]);
  });

  it.each([
    [['--model', 'anthropic:claude-opus-4-5'], 'Chat model          anthropic:claude-opus-4-5, since --model says so'],
    [['--model', 'local'], 'Chat model          local:extractive, since --model says so'],
    [
      ['--embedding-model', 'openai'],
      'Embedding model     openai:text-embedding-3-small, since --embedding-model says so',
    ],
    [['--embedding-model', 'ollama:bge-m3'], 'Embedding model     ollama:bge-m3, since --embedding-model says so'],
  ])('obeys %j', async (args, line) => {
    const { code, out } = await run(['doctor', ...args], { cwd, env });
    expect([code, out]).toEqual([0, expect.stringContaining(`${line}\n`)]);
  });

  it.each([
    [['--model', 'gpt'], {}, "Chat model          There is no provider 'gpt' for --model"],
    [['--model', 'openai'], {}, 'Chat model          --model openai needs a key'],
    [[], { OLLAMA_HOST: 'a b' }, 'Ollama server       OLLAMA_HOST is no address: write it as host:port.'],
    [['--embedding-model', 'ollama'], {}, 'Embedding model     --embedding-model ollama needs a name'],
    [['--embedding-model', 'openai:x'], {}, 'Embedding model     --embedding-model openai needs a key'],
    [['--embedding-model', 'local:x'], {}, "Embedding model     There is no local embedding model 'x'"],
  ])('shows all the rest beside what is wrong with %j', async (args, more, line) => {
    const { code, out } = await run(['doctor', ...args], { cwd, env: more });
    expect([code, out]).toEqual([2, expect.stringContaining(line)]);
    expect(out.split('\n')).toHaveLength(11);
  });
});

import Anthropic from '@anthropic-ai/sdk';
import { startMockServer } from '@vernal/testing/mock-server';
import type { WireReply } from '@vernal/testing/wires';
import { anthropicFixtures, ollamaFixtures, openAiFixtures } from '@vernal/testing/wires';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';

const ask = [{ role: 'user', content: 'hi' }] as const;
const named = (fixtures: Readonly<Record<string, WireReply>>): [string, WireReply][] => Object.entries(fixtures);
const isStream = ({ headers }: WireReply): boolean => /event-stream|ndjson/.test(headers['content-type'] ?? '');

/** Fixtures that OpenAI's own SDK does not take: it refuses an error in a stream. */
const BROKEN = ['midStreamError'];

describe("OpenAI's own SDK reads the fixtures", () => {
  it.each(named(openAiFixtures))('%s', async (name, reply) => {
    await using server = await startMockServer([reply]);
    const client = new OpenAI({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    if (name === 'embeddings') {
      const { data } = await client.embeddings.create({ model: 'e', input: ['a', 'b'], encoding_format: 'float' });
      expect(data.map((one) => one.embedding.length)).toEqual([3, 3]);
    } else if (reply.status !== 200) {
      const call = client.chat.completions.create({ model: 'm', messages: [...ask] });
      await expect(call).rejects.toMatchObject({ status: reply.status, error: { message: expect.any(String) } });
    } else if (isStream(reply)) {
      const stream = await client.chat.completions.create({ model: 'm', messages: [...ask], stream: true });
      const reasons: string[] = [];
      const read = async (): Promise<void> => {
        for await (const { choices } of stream)
          for (const one of choices) if (one.finish_reason) reasons.push(one.finish_reason);
      };
      if (BROKEN.includes(name)) await expect(read()).rejects.toThrow(/disconnected/);
      else {
        await read();
        expect(reasons.length).toBeGreaterThan(0);
      }
    } else {
      const answer = await client.chat.completions.create({ model: 'm', messages: [...ask] });
      expect(answer.choices[0]?.finish_reason).toBeTypeOf('string');
      expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    }
  });
});

describe("Anthropic's own SDK reads the fixtures", () => {
  it.each(named(anthropicFixtures))('%s', async (name, reply) => {
    await using server = await startMockServer([reply]);
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    const request = { model: 'm', max_tokens: 9, messages: [...ask] };
    if (reply.status !== 200) {
      await expect(client.messages.create(request)).rejects.toMatchObject({ status: reply.status });
    } else if (BROKEN.includes(name)) {
      await expect(client.messages.stream(request).finalMessage()).rejects.toThrow(/Overloaded/);
    } else {
      const message = isStream(reply)
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      expect(message.stop_reason).toBeTypeOf('string');
      expect(message.usage.output_tokens).toBeGreaterThan(0);
    }
  });
});

it.each(named(ollamaFixtures))('Ollama: %s is JSON, line by line', (_, reply) => {
  const lines = reply.parts.map((part) => JSON.parse(String(part)));
  if (reply.status !== 200) expect(lines[0]).toEqual({ error: expect.any(String) });
  else if (isStream(reply)) expect(lines.slice(0, -1).every((line) => line.done === false)).toBe(true);
  else expect(lines).toHaveLength(1);
});

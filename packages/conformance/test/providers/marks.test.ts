// What people say, and keys, stay out of observations, logs and errors, whatever happens.
import { inspect } from 'node:util';
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  type ChatModel,
  fold,
  type Logger,
  MessageWindowChatMemory,
  type ObservationRegistry,
  Prompt,
  tool,
  VernalError,
} from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel } from '@vernal/model-openai';
import { RecordingObservationRegistry } from '@vernal/testing';
import { type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, type ChatModelWire, ollamaChatWire, openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

interface Settings {
  readonly observationRegistry?: ObservationRegistry;
  readonly logger?: Logger;
}

const PROVIDERS: readonly {
  readonly name: string;
  readonly wire: ChatModelWire;
  readonly first: string;
  readonly broken: string;
  make(url: string, settings?: Settings): ChatModel;
}[] = [
  {
    name: 'openai',
    wire: openAiChatWire,
    first: 'data: {"choices":[{"index":0,"delta":{"content":"A"}}]}\n\n',
    broken: 'data: ANS-7f1 broken\n\n',
    make: (url, settings) =>
      new OpenAiChatModel({ baseURL: `${url}/v1`, apiKey: 'sk-7f1', maxRetries: 0, ...settings }),
  },
  {
    name: 'anthropic',
    wire: anthropicMessagesWire,
    first:
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
    broken: 'event: content_block_delta\ndata: ANS-7f1 broken\n\n',
    make: (url, settings) => new AnthropicChatModel({ baseURL: url, apiKey: 'sk-7f1', maxRetries: 0, ...settings }),
  },
  {
    name: 'ollama',
    wire: ollamaChatWire,
    first: '{"message":{"content":"A"}}\n',
    broken: 'ANS-7f1 broken\n',
    make: (url, settings) =>
      new OllamaChatModel({
        baseURL: url,
        headers: { authorization: 'Bearer sk-7f1' },
        defaultOptions: { model: 'm' },
        ...settings,
      }),
  },
];

const CONTENTS = /(?:SYS|USR|ANS|ARG|RES|DOC|MET|ERR)-7f1/;
const SECRETS = /(?:sk|URL)-7f1/;

function recordingLogger(): { readonly lines: unknown[]; readonly logger: Logger } {
  const lines: unknown[] = [];
  const note = (...line: unknown[]): void => void lines.push(line);
  return { lines, logger: { debug() {}, info: note, warn: note } };
}

async function errorOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('did not fail');
}

function exported(registry: RecordingObservationRegistry): string {
  const plain = registry.observations.map(({ kind, name, data, events, error }) => ({
    kind,
    name,
    data,
    events,
    error,
  }));
  return inspect(plain, { depth: 20 });
}

describe.each(PROVIDERS)('$name', ({ wire, first, broken, make }) => {
  async function turn(mode: 'call' | 'stream', content: boolean) {
    const steps = [
      {
        toolCalls: [
          { name: 'look', arguments: { what: 'ARG-7f1' } },
          { name: 'fails', arguments: { what: 'ARG-7f1' } },
        ],
      },
      'ANS-7f1',
    ];
    const refused = { status: 400, json: { error: { message: 'ERR-7f1 in USR-7f1 for sk-7f1' } } };
    const server = await startMockServer([...steps.map((step) => wire[mode]([step])), refused]);
    const registry = new RecordingObservationRegistry({ content });
    const { lines, logger } = recordingLogger();
    try {
      const input = z.object({ what: z.string() });
      const client = ChatClient.builder(make(server.url, { observationRegistry: registry, logger }), {
        observationRegistry: registry,
        logger,
      })
        .defaultSystem('SYS-7f1')
        .defaultTools(
          tool({ name: 'look', input, execute: () => 'RES-7f1' }),
          tool({
            name: 'fails',
            input,
            execute: () => {
              throw new VernalError('No such place', { code: 'resource' });
            },
          }),
        )
        .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }))
        .build();
      const ask = async (): Promise<void> => {
        const spec = client
          .prompt()
          .user((u) => u.text('USR-7f1').metadata('m', 'MET-7f1'))
          .conversation('c');
        if (mode === 'call') await spec.call().content();
        else for await (const _ of spec.stream().content());
      };
      await ask();
      const error = await errorOf(ask);
      registry.assertAllStopped();
      return {
        observed: exported(registry),
        logged: inspect(lines, { depth: 20 }),
        error: inspect(error, { depth: 20 }),
      };
    } finally {
      await server.close();
    }
  }

  it.each(['call', 'stream'] as const)('a %s with memory and tools, then one that is refused', async (mode) => {
    const { observed, logged, error } = await turn(mode, false);
    for (const text of [observed, logged, error]) {
      expect(text).not.toMatch(CONTENTS);
      expect(text).not.toMatch(SECRETS);
    }
    expect(observed).toContain('look');
  });

  it.each(['call', 'stream'] as const)('a %s whose contents are wanted: they are there, keys are not', async (mode) => {
    const { observed, logged, error } = await turn(mode, true);
    for (const mark of ['USR-7f1', 'ANS-7f1', 'ARG-7f1', 'RES-7f1']) expect(observed).toContain(mark);
    for (const text of [observed, logged, error]) expect(text).not.toMatch(SECRETS);
    expect(logged).not.toMatch(CONTENTS);
  });

  const faults: Record<string, MockExchange> = {
    'a chunk that is broken': { parts: [first, broken] },
    'a request that is echoed': {
      status: 400,
      json: { error: { message: 'USR-7f1 sk-7f1', type: 'invalid_request_error', code: 'unknown' } },
    },
    'a web page': { status: 200, headers: { 'content-type': 'text/html' }, parts: ['<html>ANS-7f1 ERR-7f1</html>'] },
    'no JSON': { status: 200, headers: { 'content-type': 'application/json' }, parts: ['ANS-7f1 ERR-7f1'] },
    'a reset': { parts: [first, { end: 'reset' }] },
  };

  it.each(Object.entries(faults))('%s says nothing of it', async (_, fault) => {
    const server = await startMockServer([fault]);
    try {
      const model = make(server.url);
      const error = await errorOf(() => fold(model.stream(new Prompt('USR-7f1'))));
      expect(VernalError.is(error)).toBe(true);
      for (const text of [inspect(error, { depth: 20 }), inspect(model, { depth: 20 }), JSON.stringify(error)]) {
        expect(text).not.toMatch(CONTENTS);
        expect(text).not.toMatch(SECRETS);
      }
    } finally {
      await server.close();
    }
  });

  it('an address with a token says nothing of it', async () => {
    for (const url of ['http://127.0.0.1:1/?token=URL-7f1', 'nonsense URL-7f1']) {
      const error = await errorOf(async () => make(url).call(new Prompt('x')));
      expect(inspect(error, { depth: 20 })).not.toMatch(SECRETS);
    }
  });
});

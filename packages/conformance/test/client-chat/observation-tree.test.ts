// One trace for a turn with tools that ask the same client, read from wherever.
import { AsyncResource } from 'node:async_hooks';
import { BaseAdvisor, ChatClient, type ChatClientRequest } from '@vernal/client-chat';
import {
  BaseChatModel,
  type ChatModelCapabilities,
  type ChatResponse,
  type ModelRequest,
  type Observation,
  Prompt,
  TEXT_ONLY,
  tool,
} from '@vernal/core';
import {
  type RecordedObservation,
  RecordingObservationRegistry,
  ScriptedChatModel,
  type ScriptStep,
} from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const registry = new RecordingObservationRegistry();

async function httpCall(): Promise<void> {
  const request = registry.start({ kind: 'http', name: 'http', data: {} });
  await new Promise((resolve) => setImmediate(resolve));
  request.stop();
}

class HttpModel extends BaseChatModel {
  readonly provider = 'http';
  readonly capabilities: ChatModelCapabilities = { ...TEXT_ONLY, tools: true };
  readonly #script: ScriptedChatModel;

  constructor(steps: readonly ScriptStep[]) {
    super({ observationRegistry: registry });
    this.#script = new ScriptedChatModel(steps);
  }

  protected override async *doStream({ messages, options, signal }: ModelRequest): AsyncIterable<ChatResponse> {
    await httpCall();
    yield* this.#script.stream(new Prompt(messages, options), { signal });
  }
}

class Retrieving extends BaseAdvisor {
  readonly name = 'retrieving';

  override async before(request: ChatClientRequest): Promise<ChatClientRequest> {
    const search = registry.start({ kind: 'vector_store', name: 'search', data: {} });
    await search.run(httpCall);
    search.stop();
    return request;
  }
}

function nameOf({ kind, name }: RecordedObservation): string {
  if (kind === 'chat_model') return 'model';
  if (kind === 'chat_client') return 'client';
  return kind === 'advisor' || kind === 'tool' ? name : kind;
}

function path(observation: RecordedObservation): string {
  const { parent } = observation;
  return parent === undefined ? nameOf(observation) : `${path(parent)} > ${nameOf(observation)}`;
}

async function tree(run: (client: ChatClient, app: Observation) => Promise<void>): Promise<string[]> {
  const calls = (name: string): ScriptStep => ({ toolCalls: [{ name, arguments: {} }], chunks: 'char' });
  const client: ChatClient = ChatClient.builder(
    new HttpModel([calls('fetch'), calls('ask'), { text: 'nested', chunks: 'char' }, { text: 'done', chunks: 'char' }]),
    { observationRegistry: registry },
  )
    .defaultAdvisors(new Retrieving())
    .build();
  const tools = [
    tool({ name: 'fetch', execute: httpCall }),
    tool({
      name: 'ask',
      execute: () =>
        client
          .prompt('nested')
          .advisors((a) => a.params({ nested: true }))
          .call()
          .content(),
    }),
  ];
  const from = registry.observations.length;
  const app = registry.start({ kind: 'app', name: 'app', data: {} });
  const started = app.run(() => client.mutate().defaultTools(tools).build());
  await app.run(() => run(started, app));
  app.stop();
  registry.assertAllStopped();
  return registry.observations.slice(from).map(path);
}

const CLIENT = 'app > client';
const NESTED = `${CLIENT} > ToolCallingAdvisor > ask > client`;

describe('a turn with two rounds of tools, one of which asks the same client', () => {
  const reads: Record<string, (client: ChatClient) => Promise<void>> = {
    call: async (client) => void (await client.prompt('q').call().content()),
    stream: async (client) => {
      for await (const _ of client.prompt('q').stream().content());
    },
  };

  it.each(Object.entries(reads))('is one tree by %s', async (_, run) => {
    const paths = await tree(run);
    expect(paths.every((one) => one.startsWith('app'))).toBe(true);
    expect(paths.filter((one) => one.endsWith('http')).map((one) => one.replace(CLIENT, '…'))).toMatchInlineSnapshot(`
      [
        "… > ToolCallingAdvisor > retrieving > vector_store > http",
        "… > ToolCallingAdvisor > retrieving > model > http",
        "… > ToolCallingAdvisor > fetch > http",
        "… > ToolCallingAdvisor > retrieving > vector_store > http",
        "… > ToolCallingAdvisor > retrieving > model > http",
        "… > ToolCallingAdvisor > ask > client > ToolCallingAdvisor > retrieving > vector_store > http",
        "… > ToolCallingAdvisor > ask > client > ToolCallingAdvisor > retrieving > model > http",
        "… > ToolCallingAdvisor > retrieving > vector_store > http",
        "… > ToolCallingAdvisor > retrieving > model > http",
      ]
    `);
    expect(paths.filter((one) => one.startsWith(NESTED)).length).toBeGreaterThan(3);
  });

  it('is the same tree however it is read', async () => {
    const called = await tree(reads['call'] ?? fail);
    expect(await tree(reads['stream'] ?? fail)).toEqual(called);
    // By the parent it is told, whoever reads it and where from.
    const outside = AsyncResource.bind(async (items: AsyncIterator<string>) => {
      await new Promise((resolve) => setTimeout(resolve));
      while ((await items.next()).done !== true);
    });
    const read = await tree(async (client, app) => {
      const items = client.prompt('q').observation(app).stream().content()[Symbol.asyncIterator]();
      await outside(items);
    });
    expect(read).toEqual(called);
  });
});

function fail(): never {
  throw new Error('no such mode');
}

// A thousand streams that are left or aborted, with tools and memory: nothing of them stays in the heap, on a signal or on a socket.
import { getEventListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  BaseChatModel,
  type ChatModel,
  type ChatResponse,
  chatResponse,
  MessageWindowChatMemory,
  type ModelRequest,
  TEXT_ONLY,
  type ToolContext,
  tool,
  VernalError,
} from '@vernal/core';
import { OpenAiChatModel } from '@vernal/model-openai';
import { expect, it, vi } from 'vitest';

const STREAMS = 1_000;
const WARM_UP = 100;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Objects on the heap, after a collection. */
function objectsAlive(): number {
  collectGarbage();
  return queryObjects(Object, { format: 'count' });
}

/** Where a turn of two rounds is ended, and by whom. */
const ENDS = [
  'left in the first round',
  'left in the second round',
  'aborted between chunks',
  'aborted while a tool runs',
  'aborted while a chunk is awaited',
] as const;
type End = (typeof ENDS)[number];

interface Running {
  readonly end: End;
  readonly abort: () => void;
}

/** Runs streams one after another, each ended in one of the ways. */
class Session {
  readonly #client: ChatClient;
  #tracked: WeakRef<object>[] = [];
  /** Of the whole session: outlives every stream. */
  readonly signal = new AbortController().signal;
  readonly chatMemory = new MessageWindowChatMemory();
  #running: Running | undefined;
  aborted = 0;
  listeners = 0;

  constructor(model: ChatModel) {
    const look = tool({ name: 'look', execute: (_, context) => this.#look(context) });
    this.#client = ChatClient.builder(model)
      .defaultTools(look)
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: this.chatMemory }))
      .build();
  }

  tracked = 0;

  /** How many of the objects that belonged to one stream are still there. Those that are not are forgotten here, too. */
  kept(): number {
    collectGarbage();
    this.#tracked = this.#tracked.filter((reference) => reference.deref() !== undefined);
    return this.#tracked.length;
  }

  async run(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#stream(ENDS[i % ENDS.length] ?? ENDS[0]);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Told by the model when it has nothing more to say before somebody ends the stream. */
  readonly onSilence = (): void => {
    if (this.#running?.end === 'aborted while a chunk is awaited') this.#running.abort();
  };

  async #stream(end: End): Promise<void> {
    const own = new AbortController();
    const signal = end.startsWith('left') ? this.signal : own.signal;
    const running: Running = { end, abort: () => own.abort() };
    this.#running = running;
    const chunks = this.#client.prompt('q').conversation('c').signal(signal).stream().chatClientResponse();
    this.#track(own, signal === own.signal ? signal : running, chunks, running);
    let texts = 0;
    try {
      for await (const chunk of chunks) {
        this.#track(chunk, chunk.chatResponse ?? chunk);
        if (chunk.chatResponse?.result?.output.text) texts++;
        if (end === 'left in the first round') break;
        if (end === 'left in the second round' && texts === 2) break;
        if (end === 'aborted between chunks' && texts === 2) own.abort();
      }
    } catch (error) {
      if (VernalError.is(error) && error.code === 'aborted') this.aborted++;
      else throw error;
    }
    this.listeners += getEventListeners(signal, 'abort').length;
  }

  #look(context: ToolContext): string {
    this.#track(context, context.signal, context.messages);
    if (this.#running?.end === 'aborted while a tool runs') this.#running.abort();
    return 'seen';
  }

  #track(...objects: readonly object[]): void {
    for (const object of objects) this.#tracked.push(new WeakRef(object));
    this.tracked += objects.length;
  }
}

/** Calls a tool, then says one word and nothing more. */
class HangingModel extends BaseChatModel {
  readonly provider = 'hanging';
  readonly capabilities = { ...TEXT_ONLY, tools: true };
  onSilence: () => void = () => {};
  open = 0;
  protected async *doStream({ messages, signal }: ModelRequest): AsyncIterable<ChatResponse> {
    this.open++;
    try {
      yield chatResponse('well ');
      if (messages.at(-1)?.type !== 'tool') {
        yield chatResponse([{ toolCallDeltas: [{ index: 0, id: 'c', name: 'look', arguments: '{}' }] }]);
        return;
      }
      const silence = new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
      setImmediate(this.onSilence);
      await silence;
    } finally {
      this.open--;
    }
  }
}

async function expectFlat(session: Session): Promise<void> {
  await session.run(WARM_UP);
  session.kept();
  const before = objectsAlive();
  await session.run(STREAMS - WARM_UP);
  const kept = session.kept();

  const isFlat = (): boolean => objectsAlive() - before < STREAMS / 2;
  // The platform tidies up after closed connections in its own time; what leaks stays for good.
  await vi.waitUntil(isFlat, { timeout: 180_000, interval: 100 });
  expect(session.tracked).toBeGreaterThan(STREAMS * 5);
  expect(kept, 'objects of a stream that outlive it').toBeLessThan(20);
  expect(session.aborted).toBe((STREAMS * 3) / 5);
  expect([session.listeners, getEventListeners(session.signal, 'abort')]).toEqual([0, []]);
  expect((await session.chatMemory.get('c')).length).toBeLessThanOrEqual(20);
}

it('in this process', { timeout: 240_000 }, async () => {
  const model = new HangingModel();
  const session = new Session(model);
  model.onSilence = session.onSilence;
  await expectFlat(session);
  expect(model.open).toBe(0);
});

it('over HTTP: their connections are closed, too', { timeout: 240_000 }, async () => {
  const sse = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = [{ index: 0, id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }];
  const sockets = new Set<Socket>();
  const open = new Set<ServerResponse>();
  let whenIdle: (() => void) | undefined;
  let session: Session | undefined;
  const server = createServer(async (request, response) => {
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (open.size === 0) whenIdle?.();
    });
    let body = '';
    for await (const part of request) body += String(part);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sse({ content: 'well ' }));
    const { messages } = JSON.parse(body) as { messages: { role: string }[] };
    if (messages.at(-1)?.role === 'tool') session?.onSilence();
    else response.end(`${sse({ tool_calls: call }, 'tool_calls')}data: [DONE]\n\n`);
  });
  // An idle connection that the server closes while the heap is counted would fail the next request.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    session = new Session(new OpenAiChatModel({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'k', maxRetries: 0 }));
    await expectFlat(session);
    if (open.size > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    expect(sockets.size).toBeLessThanOrEqual(2);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

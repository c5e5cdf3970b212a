import type { ChatModel, ChatModelCapabilities } from '@vernal/core';
import type { ScriptStep } from '../../doubles/script-step.js';
import type { ByteSplit, MockExchange } from '../../mock-server/mock-reply.js';
import type { MockServer } from '../../mock-server/mock-server.js';
import type { ChatModelWire } from '../../wires/chat-model-wire.js';
import type { Awaitable, Subject } from '../kernel/subject.js';

/**
 * Makes the model under test: it talks to `baseURL` with any key, does not retry, and declares `capabilities` over its
 * own.
 */
export type CreateChatModel = (setup: {
  readonly baseURL: string;
  readonly capabilities: Partial<ChatModelCapabilities>;
}) => Awaitable<Subject<ChatModel>>;

/** Where a case meets a model in this process. Every model that it makes is closed at the end. */
export interface ModelStage {
  model(capabilities?: Partial<ChatModelCapabilities>): Promise<ChatModel>;
  /** The next request is answered with these steps. Nothing to do for a model in this process. */
  answer(...steps: readonly ScriptStep[]): void;
}

/** Where a case meets a model that talks to a server. */
export interface WireStage extends ModelStage {
  readonly wire: ChatModelWire;
  readonly server: MockServer;
  /** The next request is answered with these steps, whole or as a stream, as it asks; a stream is cut. */
  answerCut(split: ByteSplit | undefined, ...steps: readonly ScriptStep[]): void;
}

interface Stage {
  readonly make: (capabilities?: Partial<ChatModelCapabilities>) => Promise<ChatModel>;
  readonly close: () => Promise<void>;
}

function models(create: CreateChatModel, baseURL: string): Stage {
  const made: Subject<ChatModel>[] = [];
  return {
    async make(capabilities = {}) {
      const subject = await create({ baseURL, capabilities });
      made.push(subject);
      return subject.subject;
    },
    async close() {
      for (const subject of made) await subject.close?.();
    },
  };
}

export async function modelStage(create: CreateChatModel): Promise<Subject<ModelStage>> {
  // A name that never resolves: a model in this process has no use for it.
  const { make, close } = models(create, 'http://model.invalid');
  return { subject: { model: make, answer: () => {} }, close };
}

export async function wireStage(create: CreateChatModel, wire: ChatModelWire): Promise<Subject<WireStage>> {
  // The only part that needs Node: loaded when there is a wire to speak.
  const { startMockServer } = await import('../../mock-server/mock-server.js');
  const server = await startMockServer();
  const { make, close } = models(create, server.url);
  const answerCut = (split: ByteSplit | undefined, ...steps: readonly ScriptStep[]): void => {
    const exchange: MockExchange = (request) => {
      if (!wire.isStream(request)) return wire.call(steps);
      return { ...wire.stream(steps), split };
    };
    server.add(exchange);
  };
  return {
    subject: { wire, server, model: make, answerCut, answer: (...steps) => answerCut(undefined, ...steps) },
    async close() {
      await close();
      await server.close();
    },
  };
}

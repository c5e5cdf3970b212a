import type { ChatModel, Logger, ObservationRegistry } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';

/** 'turn': once around the tool loop. 'round': once around each model call. */
export type AdvisorScope = 'turn' | 'round';

/** What every advisor says of itself. Source: `Advisor` of spring-ai-client-chat; the scope and role are the markers of 2.x as data. */
export interface Advisor {
  /** Names it in telemetry and errors: keep it unique in a chain. The same object twice is `invalid_argument`. */
  readonly name: string;
  /** Sorts within a scope; equal orders keep the order of registration. */
  readonly order: number;
  /**
   * Decides first. Without it `order` against the tool advisor's decides. A scope that disagrees with the order is refused when the chain
   * is built (`invalid_argument`): 'round' with an order below the tool advisor's; 'turn' with one above it, once that was set by hand.
   */
  readonly scope?: AdvisorScope | undefined;
  /** 'tool': drives the tool loop, at most one a chain. 'memory': keeps the conversation, so the loop need not. */
  readonly role?: 'tool' | 'memory' | undefined;
}

/**
 * Stands around a call. May change the request, ask `chain.nextCall` not at all, once or many times, and change what comes back.
 * Source: `CallAdvisor` of spring-ai-client-chat.
 *
 * @example
 * const timing: CallAdvisor = {
 *   name: 'timing',
 *   order: 0,
 *   async adviseCall(request, chain) {
 *     const start = performance.now();
 *     try {
 *       return await chain.nextCall(request);
 *     } finally {
 *       report(performance.now() - start);
 *     }
 *   },
 * };
 */
export interface CallAdvisor extends Advisor {
  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse>;
}

/**
 * Stands around a stream and sees every chunk. What it returns must be lazy: an async generator is. The last chunk of
 * `chain.nextStream` holds the turn, and need not hold any text. Source: `StreamAdvisor` of spring-ai-client-chat.
 */
export interface StreamAdvisor extends Advisor {
  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse>;
}

/** What `advisors()` takes. One that has only one face is bridged to the other by folding; a debug line says so. */
export type AnyAdvisor = CallAdvisor | StreamAdvisor;

/** What every advisor may use, whatever the mode: the client's own registry and logger. */
export interface AdvisorChain {
  readonly observationRegistry: ObservationRegistry;
  readonly logger: Logger;
  /** What stands at the end of the chain. To know it by its name; asking it here would pass every advisor by. */
  readonly model?: ChatModel | undefined;
}

/** Immutable: `nextCall` may be called any number of times, each a run of what is further in. */
export interface CallAdvisorChain extends AdvisorChain {
  /** All of the chain, outermost first; none is skipped in a call, so those that only stream are here too. */
  readonly callAdvisors: readonly AnyAdvisor[];
  nextCall(request: ChatClientRequest): Promise<ChatClientResponse>;
  /** The chain behind `after`, which must be in it (`invalid_argument`). */
  copy(after: Advisor): CallAdvisorChain;
}

/** Immutable: `nextStream` may be called any number of times, each a run of what is further in. */
export interface StreamAdvisorChain extends AdvisorChain {
  /** All of the chain, outermost first; none is skipped in a stream, so those that only advise calls are here too. */
  readonly streamAdvisors: readonly AnyAdvisor[];
  /** Lazy, single use. */
  nextStream(request: ChatClientRequest): AsyncIterable<ChatClientResponse>;
  /** The chain behind `after`, which must be in it (`invalid_argument`). */
  copy(after: Advisor): StreamAdvisorChain;
}

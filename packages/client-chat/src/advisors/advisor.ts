import type { Logger, ObservationRegistry } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';

/** 'turn': once around the tool loop. 'round': once around each model call. */
export type AdvisorScope = 'turn' | 'round';

/** What every advisor says of itself. Source: `Advisor` of spring-ai-client-chat; the scope and role are the markers of 2.x as data. */
export interface Advisor {
  /** Unique in a chain, so that telemetry and errors can name it. */
  readonly name: string;
  /** Sorts within a scope; equal orders keep the order of registration. */
  readonly order: number;
  /** Decides first. Without it `order` against the tool advisor's decides. A scope that disagrees with the order is refused at build time. */
  readonly scope?: AdvisorScope | undefined;
  /** 'tool': drives the tool loop, at most one a chain. 'memory': keeps the conversation, so the loop need not. */
  readonly role?: 'tool' | 'memory' | undefined;
}

export interface CallAdvisor extends Advisor {
  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse>;
}

export interface StreamAdvisor extends Advisor {
  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse>;
}

/** What `advisors()` takes. One that has only one face is bridged to the other by folding; a debug line says so. */
export type AnyAdvisor = CallAdvisor | StreamAdvisor;

export interface AdvisorChain {
  readonly observationRegistry: ObservationRegistry;
  readonly logger: Logger;
}

/** Immutable: `nextCall` may be called any number of times, each a run of what is further in. */
export interface CallAdvisorChain extends AdvisorChain {
  readonly callAdvisors: readonly AnyAdvisor[];
  nextCall(request: ChatClientRequest): Promise<ChatClientResponse>;
  /** The chain behind `after`, which must be in it (`invalid_argument`). */
  copy(after: Advisor): CallAdvisorChain;
}

export interface StreamAdvisorChain extends AdvisorChain {
  readonly streamAdvisors: readonly AnyAdvisor[];
  nextStream(request: ChatClientRequest): AsyncIterable<ChatClientResponse>;
  copy(after: Advisor): StreamAdvisorChain;
}

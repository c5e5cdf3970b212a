import type { ChatModel, Logger, ObservationRegistry } from '@vernal/core';
import { VernalError } from '@vernal/core';
import type { Advisor, AnyAdvisor } from '../advisors/advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import type { ChunkFilter, Inward } from './advice.js';
import { callModel, type ModelSettings, streamModel } from './ask-model.js';
import type { Source } from './ask-reading.js';
import type { ChainStep, StepChain } from './chain-step.js';
import { MappedIterator } from './mapped-iterator.js';
import { StreamDriver } from './stream-driver.js';
import { type Ask, NO_FILTERS, type StreamRun } from './stream-run.js';

export interface ChainSettings extends ModelSettings {
  readonly model: ChatModel;
  readonly observationRegistry: ObservationRegistry;
}

/** The chain from its outermost step on, the model always last. Compiled once; holds nothing of a run, so all runs share it. */
export function compileChain(steps: readonly ChainStep[], settings: ChainSettings): StepChain {
  const advisors = steps.flatMap(({ advisor }) => (advisor === undefined ? [] : [advisor]));
  const links: ChainLink[] = [];
  for (let i = 0; i <= steps.length; i++) links.push(new ChainLink(i, steps, links, advisors, settings));
  return linkAt(links, 0);
}

/** The chain behind one step: an index into the steps, nothing that is used up. */
class ChainLink implements StepChain {
  readonly callAdvisors: readonly AnyAdvisor[];
  readonly streamAdvisors: readonly AnyAdvisor[];
  readonly observationRegistry: ObservationRegistry;
  readonly logger: Logger;
  readonly model: ChatModel;
  readonly inward: Inward;
  readonly #index: number;
  readonly #step: ChainStep | undefined;
  readonly #steps: readonly ChainStep[];
  readonly #links: readonly ChainLink[];
  readonly #settings: ChainSettings;
  /** The first step from here on that streams by itself; the number of steps when there is none. */
  readonly #streamsFrom: number;

  constructor(
    index: number,
    steps: readonly ChainStep[],
    links: readonly ChainLink[],
    advisors: readonly AnyAdvisor[],
    settings: ChainSettings,
  ) {
    this.#index = index;
    this.#step = steps[index];
    this.#steps = steps;
    this.#links = links;
    this.#settings = settings;
    this.callAdvisors = advisors;
    this.streamAdvisors = advisors;
    this.observationRegistry = settings.observationRegistry;
    this.logger = settings.logger;
    this.model = settings.model;
    this.inward = {
      streaming: false,
      ask: (request) => this.nextCall(request),
      askModel: (model, request) => callModel(model, request, settings),
      wait: (request, work) => work(request),
    };
    const streaming = steps.findIndex(({ stream }, i) => i >= index && stream.advice === undefined);
    this.#streamsFrom = streaming < 0 ? steps.length : streaming;
  }

  nextCall(request: ChatClientRequest): Promise<ChatClientResponse> {
    if (this.#step === undefined) return callModel(this.#settings.model, request, this.#settings);
    return this.#step.call(request, linkAt(this.#links, this.#index + 1));
  }

  nextStream(request: ChatClientRequest): AsyncIterable<ChatClientResponse> {
    const stream = this.#step?.stream;
    if (stream !== undefined && stream.advice === undefined) {
      return stream.run(request, linkAt(this.#links, this.#index + 1));
    }
    return this.#drive(request, (chunk) => chunk);
  }

  stream<T>(request: ChatClientRequest, map: (chunk: ChatClientResponse) => T | undefined): AsyncIterator<T> {
    const stream = this.#step?.stream;
    if (stream === undefined || stream.advice !== undefined) return this.#drive(request, map);
    return new MappedIterator(this.nextStream(request)[Symbol.asyncIterator](), map);
  }

  copy(after: Advisor): StepChain {
    const at = this.#steps.findIndex(({ advisor }) => advisor === after);
    if (at < 0) {
      throw new VernalError(`Advisor '${after.name}' is not in this chain: copy() takes one of its advisors`, {
        code: 'invalid_argument',
        subject: 'after',
      });
    }
    return linkAt(this.#links, at + 1);
  }

  #drive<T>(request: ChatClientRequest, map: (chunk: ChatClientResponse) => T | undefined): StreamDriver<T> {
    return new StreamDriver(
      (run) => this.#advise(this.#index, request, run, NO_FILTERS),
      (ask) => this.#open(ask),
      map,
    );
  }

  /** Steps that do not stream by themselves wait inside each other; one loop streams for all of them. */
  #advise(
    index: number,
    request: ChatClientRequest,
    run: StreamRun,
    filters: readonly ChunkFilter[],
  ): Promise<ChatClientResponse> {
    const advice = index < this.#streamsFrom ? this.#steps[index]?.stream.advice : undefined;
    if (advice === undefined) return run.ask(request, filters);
    const inward = run.inward((asked, all) => this.#advise(index + 1, asked, run, all), filters);
    return advice(request, inward, linkAt(this.#links, index + 1));
  }

  #open({ request, model }: Ask): Source {
    const stream = model === undefined ? this.#steps[this.#streamsFrom]?.stream : undefined;
    if (stream !== undefined && stream.advice === undefined) {
      return { of: 'chain', chunks: stream.run(request, linkAt(this.#links, this.#streamsFrom + 1)) };
    }
    return { of: 'model', chunks: streamModel(model ?? this.#settings.model, request, this.#settings) };
  }
}

function linkAt(links: readonly ChainLink[], index: number): ChainLink {
  const link = links[index];
  if (link === undefined)
    throw new RangeError(`The chain has ${links.length - 1} steps and was asked for step ${index}`);
  return link;
}

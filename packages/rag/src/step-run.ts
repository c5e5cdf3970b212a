import type { CallContext, Logger, ObservationRegistry, RagObservationData } from '@vernal/core';
import { abortError, SafeObservation, startSafely, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { errorCode } from './error-code.js';
import type { PartPlace } from './named-part.js';
import type { Awaitable } from './parts.js';
import type { RagDegradation } from './rag-degradation.js';

/** What a run of the pipeline is watched with. */
export interface StepWatch {
  readonly registry: ObservationRegistry;
  /** Safe: it does not throw. */
  readonly logger: Logger;
  readonly onError: 'degrade' | 'throw';
}

type StepData = Omit<RagObservationData, 'step' | 'index'>;

/** How a step is observed. Asked only when somebody observes; `content` says whether texts are wanted. */
export interface StepFacts<T> {
  before(content: boolean): StepData;
  after(result: T, content: boolean): StepData;
}

/** A filter says what a request may see: an error in it is never a reason to go on without it. */
function isOfFilter(error: unknown): boolean {
  return VernalError.is(error) && (error.code === 'filter_parse' || error.code === 'filter_invalid');
}

/** The steps of one request: observed, ended by the signal, and done without when they fail and may. */
export class StepRun {
  readonly #watch: StepWatch;
  readonly #context: CallContext;
  readonly #degradations = new Map<string, RagDegradation>();

  constructor(watch: StepWatch, context: CallContext) {
    this.#watch = watch;
    this.#context = context;
  }

  get signal(): AbortSignal | undefined {
    return this.#context.signal;
  }

  /** In the order in which they happened. */
  get degradations(): readonly RagDegradation[] {
    return [...this.#degradations.values()];
  }

  /** What `work` gives, or throws. Ends with the signal, whether or not the part heeds it. */
  async run<T>(
    place: PartPlace,
    work: (context: CallContext) => Awaitable<T>,
    facts: StepFacts<T>,
    signal: AbortSignal | undefined = this.#context.signal,
  ): Promise<T> {
    throwIfAborted(signal);
    const { registry } = this.#watch;
    const context: CallContext = signal === this.#context.signal ? this.#context : { ...this.#context, signal };
    if (!registry.enabled) return untilAborted(started(work, context), signal);
    const { step, index, name } = place;
    const { content } = registry;
    const observation = startSafely(registry, () => ({
      kind: 'rag',
      name,
      parent: context.observation,
      data: { step, index, ...facts.before(content) },
    }));
    return observation.run(async () => {
      try {
        const observed = { ...context, observation: observation.observation };
        const result = await untilAborted(started(work, observed), signal);
        observation.add(facts.after(result, content));
        return result;
      } catch (error) {
        if (signal?.aborted === true || errorCode(error) === 'aborted') observation.event('cancelled');
        else observation.error(error);
        throw error;
      } finally {
        observation.stop();
      }
    });
  }

  /** The same; when the part fails and may, that is noted and undefined is given. */
  async attempt<T extends object>(
    place: PartPlace,
    work: (context: CallContext) => Awaitable<T>,
    facts: StepFacts<T>,
    signal: AbortSignal | undefined = this.#context.signal,
  ): Promise<T | undefined> {
    try {
      return await this.run(place, work, facts, signal);
    } catch (error) {
      this.degrade(place, error);
      return undefined;
    }
  }

  /** Notes that a part failed, or throws: what ends the turn is an abort, an error in a filter, and every error with onError 'throw'. */
  degrade(place: PartPlace, error: unknown): void {
    const { signal } = this.#context;
    if (signal?.aborted === true) throw abortError(signal);
    const code = errorCode(error);
    if (this.#watch.onError === 'throw' || code === 'aborted' || isOfFilter(error)) throw error;
    const { step, index, name } = place;
    const key = `${step} ${index} ${code}`;
    const times = (this.#degradations.get(key)?.times ?? 0) + 1;
    this.#degradations.set(key, { step, index, name, code, times });
    const told = { step, index, name, code };
    this.#watch.logger.warn('A part of retrieval failed: the turn goes on without it', told);
    const { observation } = this.#context;
    if (observation !== undefined) new SafeObservation(observation).event('rag_degraded', told);
  }
}

/** What a part throws at once rejects as well. */
async function started<T>(work: (context: CallContext) => Awaitable<T>, context: CallContext): Promise<T> {
  return work(context);
}

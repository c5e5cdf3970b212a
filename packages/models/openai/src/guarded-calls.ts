import {
  type CallContext,
  type Logger,
  noopObservationRegistry,
  type ObservationData,
  type ObservationKind,
  type ObservationRegistry,
  type RetryPolicy,
  retry,
  retryStream,
  type SafeObservation,
  safeLogger,
  startSafely,
  throwIfAborted,
  untilAborted,
} from '@vernal/core';
import { GuardedStream } from './guarded-stream.js';

/** What the owner of a model wants around each of its calls. */
export interface CallGuards {
  /** Default `noRetry`: the SDK repeats requests by itself. Given, it takes its place. */
  readonly retry?: RetryPolicy | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. */
  readonly logger?: Logger | undefined;
}

/** What one call is about. */
export interface CallSubject {
  readonly model: string | undefined;
  /** Facts for an observation; asked for only when somebody observes. `content`: may contents be among them? */
  readonly facts: (content: boolean) => ObservationData;
}

/** A stream that is about to be opened. */
export interface BegunStream<T> {
  readonly subject: CallSubject;
  /** Given a signal that fires with the caller's, and when the reader leaves. */
  readonly open: (signal: AbortSignal) => AsyncIterable<T>;
}

/**
 * Retries, observes and aborts the calls of one model. A call that is aborted rejects at once with `aborted` or, by `AbortSignal.timeout`,
 * with `timeout`, whether or not the request heeds the signal.
 */
export class GuardedCalls {
  readonly #kind: ObservationKind;
  readonly #provider: string;
  readonly #retry: RetryPolicy | undefined;
  readonly #registry: ObservationRegistry;
  readonly #logger: Logger;

  constructor(kind: ObservationKind, provider: string, guards: CallGuards) {
    this.#kind = kind;
    this.#provider = provider;
    this.#retry = guards.retry?.maxAttempts === 1 ? undefined : guards.retry;
    this.#registry = guards.observationRegistry ?? noopObservationRegistry;
    this.#logger = safeLogger(guards.logger);
  }

  /** @param learnt - what the answer adds to the observation */
  async call<T>(
    subject: CallSubject,
    context: CallContext | undefined,
    request: () => Promise<T>,
    learnt: (answer: T, content: boolean) => ObservationData,
  ): Promise<T> {
    const signal = context?.signal;
    throwIfAborted(signal);
    const observation = this.#observe(subject, context);
    const policy = this.#retry;
    const tries = (): Promise<T> =>
      policy === undefined ? request() : retry(request, policy, { signal, logger: this.#logger });
    try {
      const running = observation === undefined ? tries() : observation.run(tries);
      const answer = await untilAborted(running, signal);
      observation?.add(learnt(answer, this.#registry.content));
      return answer;
    } catch (error) {
      observation?.error(error);
      throw error;
    } finally {
      observation?.stop();
    }
  }

  /** Nothing happens before the first read; repeated until the first piece; leaving the loop ends the request. */
  stream<T>(begin: () => BegunStream<T>, context: CallContext | undefined): AsyncIterable<T> {
    const policy = this.#retry;
    const logger = this.#logger;
    return new GuardedStream<T>(context?.signal, () => {
      const { subject, open } = begin();
      return {
        observation: this.#observe(subject, context),
        open: (signal) =>
          policy === undefined ? open(signal) : retryStream(() => open(signal), policy, { signal, logger }),
      };
    });
  }

  #observe({ model, facts }: CallSubject, context: CallContext | undefined): SafeObservation | undefined {
    if (!this.#registry.enabled) return undefined;
    return startSafely(this.#registry, () => ({
      kind: this.#kind,
      name: model ?? this.#provider,
      parent: context?.observation,
      data: {
        provider: this.#provider,
        ...(model === undefined ? {} : { requestModel: model }),
        ...facts(this.#registry.content),
      },
    }));
  }
}

import {
  noopObservation,
  type Observation,
  type ObservationData,
  type ObservationRegistry,
  type ObservationStart,
} from './observation.js';

/** An observation whose registry may fail: what is observed goes on as if nobody looked. */
export class SafeObservation implements Omit<Observation, 'kind'> {
  /** The registry's own, to be handed on as parent. */
  readonly observation: Observation;

  constructor(observation: Observation) {
    this.observation = observation;
  }

  add(data: ObservationData): void {
    quietly(() => this.observation.add(data));
  }

  event(name: string, data?: ObservationData): void {
    quietly(() => this.observation.event(name, data));
  }

  error(error: unknown): void {
    quietly(() => this.observation.error(error));
  }

  stop(): void {
    quietly(() => this.observation.stop());
  }

  /** What `fn` throws is thrown; `fn` runs once, whatever the registry does. */
  run<T>(fn: () => T): T {
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
    quietly(() =>
      this.observation.run(() => {
        outcome = settle(fn);
      }),
    );
    const settled = outcome ?? settle(fn);
    if ('error' in settled) throw settled.error;
    return settled.value;
  }
}

/**
 * Starts an observation for code that is observed by a registry of somebody else's: none of its failures, of starting too, reaches the
 * caller, nor does one of `start`, which may ask somebody else as well.
 *
 * @example
 * const observation = startSafely(registry, () => ({ kind: 'etl', name: 'load', data: {} }));
 * try {
 *   await observation.run(() => load({ observation: observation.observation }));
 * } finally {
 *   observation.stop();
 * }
 */
export function startSafely(registry: ObservationRegistry, start: () => ObservationStart): SafeObservation {
  try {
    return new SafeObservation(registry.start(start()));
  } catch {
    return new SafeObservation(noopObservation);
  }
}

function settle<T>(fn: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: fn() };
  } catch (error) {
    return { error };
  }
}

function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // An observer that fails is no reason for what it looks at to fail.
  }
}

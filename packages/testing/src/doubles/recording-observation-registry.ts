import type { Observation, ObservationData, ObservationRegistry, ObservationStart } from '@vernal/core';
import { VernalError } from '@vernal/core';
import type { AmbientObservation } from './ambient-observation.js';
import { ambientObservation } from './ambient-observation.js';

/** An observation as it was recorded. It goes on changing until it is stopped. */
export interface RecordedObservation {
  readonly kind: string;
  readonly name: string;
  /** The explicit parent, else the one that was running (`Observation.run`). */
  readonly parent?: RecordedObservation;
  /** What it was started with and what was added, later wins. */
  readonly data: ObservationData;
  readonly events: readonly { readonly name: string; readonly data?: ObservationData }[];
  readonly error?: unknown;
  readonly stopped: boolean;
}

interface Recording extends RecordedObservation {
  parent?: RecordedObservation;
  data: ObservationData;
  readonly events: { readonly name: string; readonly data?: ObservationData }[];
  error?: unknown;
  stopped: boolean;
}

/** A registry that keeps everything, for tests. Observations are in the order of their start. */
export class RecordingObservationRegistry implements ObservationRegistry {
  readonly enabled: boolean = true;
  readonly content: boolean;
  readonly #recordings: Recording[] = [];
  readonly #byObservation = new WeakMap<Observation, Recording>();
  readonly #ambient: AmbientObservation<Recording> = ambientObservation();
  readonly #faults: string[] = [];

  /** `content` default false: observed code must then leave prompts, completions, arguments and documents out of its data. */
  constructor(options: { readonly content?: boolean | undefined } = {}) {
    this.content = options.content ?? false;
  }

  /** All that were started, in that order, running ones too. */
  get observations(): readonly RecordedObservation[] {
    return this.#recordings;
  }

  start(start: ObservationStart): Observation {
    const recording: Recording = {
      kind: start.kind,
      name: start.name,
      data: { ...start.data },
      events: [],
      stopped: false,
    };
    const parent = start.parent === undefined ? this.#ambient.getStore() : this.#byObservation.get(start.parent);
    if (parent !== undefined) recording.parent = parent;
    this.#recordings.push(recording);
    const observation = this.#observe(recording);
    this.#byObservation.set(observation, recording);
    return observation;
  }

  /** Throws `invalid_state` naming each observation that is still open, was stopped twice, or was written to after its stop. */
  assertAllStopped(): void {
    const open = this.#recordings.filter((one) => !one.stopped).map((one) => `${one.kind} '${one.name}' is still open`);
    const faults = [...open, ...this.#faults];
    if (faults.length === 0) return;
    throw new VernalError(
      `Every observation is stopped exactly once, and used only before: ${faults.join('; ')}. Stop it in a finally block`,
      { code: 'invalid_state', subject: 'observations', details: { faults } },
    );
  }

  #observe(recording: Recording): Observation {
    const checkOpen = (what: string): void => {
      if (recording.stopped) this.#faults.push(`${recording.kind} '${recording.name}': ${what} after stop`);
    };
    const ambient = this.#ambient;
    return {
      kind: recording.kind,
      add(data) {
        checkOpen('add');
        recording.data = { ...recording.data, ...data };
      },
      event(name, data) {
        checkOpen('event');
        recording.events.push(data === undefined ? { name } : { name, data });
      },
      error(error) {
        checkOpen('error');
        recording.error = error;
      },
      stop() {
        checkOpen('stop');
        recording.stopped = true;
      },
      run(fn) {
        return ambient.run(recording, fn);
      },
    };
  }
}

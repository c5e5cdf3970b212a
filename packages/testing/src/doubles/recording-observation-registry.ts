import type { Observation, ObservationData, ObservationRegistry } from '@vernal/core';

export interface RecordedObservation {
  readonly kind: string;
  readonly name: string;
  readonly parent?: RecordedObservation;
  readonly data: ObservationData;
  readonly events: readonly { readonly name: string; readonly data?: ObservationData }[];
  readonly error?: unknown;
  readonly stopped: boolean;
}

export declare class RecordingObservationRegistry implements ObservationRegistry {
  constructor(options?: { readonly content?: boolean | undefined });
  readonly enabled: boolean;
  readonly content: boolean;
  readonly observations: readonly RecordedObservation[];
  start(start: Parameters<ObservationRegistry['start']>[0]): Observation;
  /** Throws if any is still open. */
  assertAllStopped(): void;
}

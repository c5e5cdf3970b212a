import type { RagObservationData } from '@vernal/core';

/** The steps of `RetrievalAugmentationAdvisor`, in their order. */
export type RagStep = RagObservationData['step'];

/** A part that failed and was done without. Holds no contents: it may be logged, stored and shown. */
export interface RagDegradation {
  readonly step: RagStep;
  /** Place of the part in the list that the advisor was given, from 0. */
  readonly index: number;
  /** Of its class or function. */
  readonly name: string;
  /** The code of a `VernalError`, else the name of the error. */
  readonly code: string;
  /** How often: a retriever is asked once a query. */
  readonly times: number;
}

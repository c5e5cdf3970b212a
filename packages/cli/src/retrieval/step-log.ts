import type { Logger, Observation, ObservationData, ObservationRegistry } from '@vernal/core';
import { VernalError } from '@vernal/core';

/** Of what is no step. */
const UNSEEN: Observation = {
  kind: 'noop',
  add() {},
  event() {},
  error() {},
  stop() {},
  run: (fn) => fn(),
};

/** Says of each step of a retrieval that it ran: what it is, what went in and came out, how long it took. Never a text. */
export function stepLog(logger: Logger): ObservationRegistry {
  return {
    enabled: true,
    content: false,
    start: ({ kind, name, data }) => (kind === 'rag' ? observedStep(name, data, logger) : UNSEEN),
  };
}

function observedStep(name: string, given: ObservationData, logger: Logger): Observation {
  const started = performance.now();
  let facts = given;
  let failed: string | undefined;
  return {
    kind: 'rag',
    add(data) {
      facts = { ...facts, ...data };
    },
    event() {},
    error(error) {
      failed = VernalError.is(error) ? error.code : 'Error';
    },
    stop() {
      const { step, inputCount, queryCount, count } = facts;
      const told = { step, name, given: inputCount, queries: queryCount, documents: count, failed };
      const known = Object.entries(told).filter(([, value]) => value !== undefined);
      logger.debug('retrieval', {
        ...Object.fromEntries(known),
        milliseconds: Math.round(performance.now() - started),
      });
    },
    run: (fn) => fn(),
  };
}

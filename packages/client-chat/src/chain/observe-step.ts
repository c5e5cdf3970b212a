import type { Observation, ObservationRegistry, SafeObservation } from '@vernal/core';
import { startSafely, VernalError } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import type { ChainStep } from './chain-step.js';

/** How a step presents itself to the registry. */
export interface StepObservation {
  readonly kind: 'chat_client' | 'advisor';
  readonly name: string;
  data(request: ChatClientRequest, streaming: boolean): Readonly<Record<string, unknown>>;
}

/**
 * The same step, observed: one observation a run, the parent of whatever starts further in, stopped on success, on error, on abort, and
 * when the consumer leaves. An abort is no error: it is the event 'cancelled'.
 */
export function observeStep(step: ChainStep, what: StepObservation, registry: ObservationRegistry): ChainStep {
  const start = (request: ChatClientRequest, streaming: boolean): SafeObservation =>
    startSafely(registry, () => ({
      kind: what.kind,
      name: what.name,
      parent: request.observation,
      data: what.data(request, streaming),
    }));
  const { stream } = step;
  return {
    ...step,
    call: (request, behind) => {
      const started = start(request, false);
      return observed(started, () => step.call({ ...request, observation: started.observation }, behind));
    },
    stream:
      stream.advice === undefined
        ? {
            run: (request, behind) =>
              observedStream(
                () => start(request, true),
                (observation) => stream.run({ ...request, observation }, behind),
              ),
          }
        : {
            advice: (request, inward, chain) => {
              const started = start(request, true);
              const asked = { ...request, observation: started.observation };
              return observed(started, () => stream.advice(asked, inward, chain));
            },
          },
  };
}

async function observed<T>(observation: SafeObservation, run: () => Promise<T>): Promise<T> {
  try {
    return await observation.run(run);
  } catch (error) {
    note(observation, error);
    throw error;
  } finally {
    observation.stop();
  }
}

async function* observedStream(
  start: () => SafeObservation,
  open: (observation: Observation) => AsyncIterable<ChatClientResponse>,
): AsyncGenerator<ChatClientResponse, void, undefined> {
  const observation = start();
  let iterator: AsyncIterator<ChatClientResponse> | undefined;
  let over = false;
  try {
    const opened = observation.run(() => open(observation.observation)[Symbol.asyncIterator]());
    iterator = opened;
    for (;;) {
      const step = await observation.run(() => opened.next());
      if (step.done === true) break;
      yield step.value;
    }
    over = true;
  } catch (error) {
    over = true;
    note(observation, error);
    await leave(observation, iterator);
    throw error;
  } finally {
    if (!over) {
      observation.event('cancelled');
      await leave(observation, iterator);
    }
    observation.stop();
  }
}

/** Never throws: whoever leaves has a reason of his own to report. */
async function leave(observation: SafeObservation, iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await observation.run(async () => iterator?.return?.());
  } catch {
    // Said above.
  }
}

function note(observation: SafeObservation, error: unknown): void {
  if (VernalError.is(error) && error.code === 'aborted') observation.event('cancelled');
  else observation.error(error);
}

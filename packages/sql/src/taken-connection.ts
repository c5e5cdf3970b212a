import { untilAborted } from '@vernal/core';

/** Waits for a connection of a pool until the signal fires; one that comes later goes back. */
export async function takenConnection<C>(
  taking: Promise<C>,
  signal: AbortSignal | undefined,
  giveBack: (connection: C) => unknown,
): Promise<C> {
  try {
    return await untilAborted(taking, signal);
  } catch (error) {
    // What the taking rejects with is thrown here already.
    taking.then(giveBack).catch(() => {});
    throw error;
  }
}

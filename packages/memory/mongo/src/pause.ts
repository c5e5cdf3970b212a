import { setTimeout } from 'node:timers/promises';
import { throwIfAborted } from '@vernal/core';

const LONGEST_MS = 100;

/** Waits before the next try, by chance, so that two who collided do not do so again: longer with each, at most 100 ms. */
export async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  const ms = Math.random() * Math.min(LONGEST_MS, 4 * 2 ** Math.min(attempt, 10));
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

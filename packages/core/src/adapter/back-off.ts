import { sleep } from '@vernal/core';

const FIRST_MS = 5;
const LONGEST_MS = 200;

/**
 * Waits before a write is tried again that met another one: by chance, so that the two do not meet again, and longer from try to try,
 * at most a fifth of a second. `attempt` counts from 0. Rejects with the signal's reason, and leaves no timer behind.
 */
export async function backOff(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.random() * Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS), signal);
}

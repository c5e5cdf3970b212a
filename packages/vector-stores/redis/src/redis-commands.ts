import { abortError, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { redisError } from './redis-error.js';

/** How long a command is waited for. */
export interface CommandBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Waits for a command, at most `timeoutMs`. The driver cannot take a command back: after an abort or a timeout the server may still run it,
 * and its result is dropped.
 *
 * @throws VernalError `aborted`, `timeout`, and what `redisError` makes of the driver's errors
 */
export async function commanded<T>(
  code: 'store_read' | 'store_write',
  { signal, timeoutMs }: CommandBounds,
  command: () => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError(code, timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([untilAborted(command(), signal), late]);
  } catch (error) {
    throw signal.aborted ? abortError(signal) : redisError(error, code);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutError(code: 'store_read' | 'store_write', timeoutMs: number): VernalError {
  const written =
    code === 'store_write' ? '; whether it was written is not known, and to write it again does no harm' : '';
  return new VernalError(
    `Redis did not answer within ${timeoutMs} ms${written}: check the server and the connection, or raise timeoutMs`,
    { code: 'timeout', subject: 'timeoutMs', retryable: true, details: { timeoutMs } },
  );
}

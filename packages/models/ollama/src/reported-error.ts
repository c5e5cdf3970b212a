import type { JsonRecord } from '@vernal/core';

/** An error that the server reports inside an answer with status 200, in the shape that `modelErrorFrom` reads. */
export class ReportedError extends Error {
  readonly error: object;

  constructor(message: string) {
    super(message);
    this.error = { message };
  }
}

/** Throws what the server reports as an error. */
export function throwReported({ error }: JsonRecord): void {
  if (error === undefined || error === null) return;
  throw new ReportedError(wordsOf(error));
}

/** Ollama sends a text, gateways before it an object with a message. */
export function wordsOf(error: unknown): string {
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : error;
  return typeof message === 'string' ? message : '';
}

import type { InputRequest, InputRequests } from '@modelcontextprotocol/server';
import { isRecord, VernalError } from '@vernal/core';

/** Thrown out of a call whose client has to answer something first. */
class CallSuspended extends VernalError {
  constructor() {
    super('The call waits for an answer of the client and runs again when it is here: let this error pass', {
      code: 'mcp_call_suspended',
    });
  }
}

/**
 * What a call asks of its client in the order it asks: answers of earlier rounds are at hand, the first question without one suspends
 * the call. Earlier answers travel in the request's state: they are the client's own words, held to the schema each time.
 */
export class SuspendedCall {
  readonly #answers: Readonly<Record<string, unknown>>;
  readonly #open: InputRequests = {};
  #asked = 0;

  constructor(state: unknown, responses: Readonly<Record<string, unknown>> | undefined) {
    this.#answers = { ...earlierAnswers(state), ...responses };
  }

  ask(request: InputRequest): unknown {
    this.#asked += 1;
    const key = `${request.method}#${this.#asked}`;
    if (Object.hasOwn(this.#answers, key)) return this.#answers[key];
    this.#open[key] = request;
    throw new CallSuspended();
  }

  /** What to answer the client with, whatever became of the call; undefined when nothing is open. */
  get question(): { readonly inputRequests: InputRequests; readonly requestState: string } | undefined {
    if (Object.keys(this.#open).length === 0) return undefined;
    return { inputRequests: this.#open, requestState: JSON.stringify({ answers: this.#answers }) };
  }
}

function earlierAnswers(state: unknown): Readonly<Record<string, unknown>> {
  if (typeof state !== 'string') return {};
  try {
    const read: unknown = JSON.parse(state);
    if (isRecord(read) && isRecord(read['answers'])) return read['answers'];
  } catch {
    // Not ours: the client is asked again.
  }
  return {};
}

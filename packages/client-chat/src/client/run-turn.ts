import type { ChatResponse, Generation } from '@vernal/core';
import { chatResponse, throwIfAborted, VernalError } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import { Deadline } from '../chain/deadline.js';
import type { ChainExtras } from './advisor-plan.js';
import { type RequestState, requestOf } from './request-state.js';
import { TurnStream } from './turn-stream.js';

/** One run of a request as a call, and what `map` makes of its response. */
export async function callTurn<T>(
  state: RequestState,
  map: (response: ChatClientResponse, request: ChatClientRequest) => T | Promise<T>,
  extras?: ChainExtras,
): Promise<T> {
  if (state.timeoutMs !== undefined) return callWithin(state.timeoutMs, state, map, extras);
  throwIfAborted(state.signal);
  const chain = state.plan.chain(extras);
  const built = requestOf(state, state.signal);
  const request = 'then' in built ? await built : built;
  return map(await chain.nextCall(request), request);
}

async function callWithin<T>(
  ms: number,
  state: RequestState,
  map: (response: ChatClientResponse, request: ChatClientRequest) => T | Promise<T>,
  extras?: ChainExtras,
): Promise<T> {
  const deadline = new Deadline(ms, state.signal);
  try {
    return await callTurn({ ...state, timeoutMs: undefined, signal: deadline.signal }, map, extras);
  } catch (error) {
    throw deadline.explain(error);
  } finally {
    deadline.close();
  }
}

/** One run of a request as a stream of what `map` makes of its chunks; undefined is left out. */
export function streamTurn<T>(
  state: RequestState,
  map: (chunk: ChatClientResponse) => T | undefined,
  extras?: ChainExtras,
): TurnStream<T> {
  return new TurnStream(state, map, extras);
}

/** The answer of a turn that has ended; one that waits is none. */
export function answerOf(response: ChatClientResponse): ChatResponse {
  refusePending(response);
  return response.chatResponse ?? chatResponse([]);
}

/** Of a chunk, whatever else is in it. */
export function firstAnswer(response: ChatResponse | undefined): Generation | undefined {
  const first = response?.results[0];
  return first === undefined || first.index === 0 ? first : response?.results.find(({ index }) => index === 0);
}

export function refusePending({ pendingApproval }: ChatClientResponse): void {
  if (pendingApproval === undefined) return;
  const tools = pendingApproval.calls.map(({ name }) => name);
  throw new VernalError(
    `The turn waits for the approval of ${tools.join(', ')}: read it with chatClientResponse(), go on with client.resume(pendingApproval, decisions)`,
    { code: 'approval_required', subject: 'pendingApproval', details: { id: pendingApproval.id, tools } },
  );
}

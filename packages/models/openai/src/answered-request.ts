import { isRecord } from '@vernal/core';
import { begunAt, type ModelErrorPlace, notTheApi, RequestTimeout, readAnswer } from '@vernal/core/adapter';
import type OpenAI from 'openai';
import { openAiError } from './open-ai-error.js';
import { ReportedError, reportedError } from './reported-error.js';

/** What every request takes beside its body. */
export interface RequestSettings {
  readonly signal: AbortSignal;
  readonly headers?: Record<string, string>;
}

/** One request on its way. */
export interface OpenRequest {
  readonly client: OpenAI;
  readonly place: ModelErrorPlace;
  readonly signal: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Asked = { asResponse(): Promise<Response> };

/** A request whose answer is read by `read`, under one time-out. Whatever fails is a `ModelError`. */
export async function answeredRequest<T>(
  { client, place, signal, headers }: OpenRequest,
  ask: (settings: RequestSettings) => Asked,
  read: (response: Response, timeout: RequestTimeout) => Promise<T>,
): Promise<T> {
  const timeout = new RequestTimeout(client.timeout, signal);
  try {
    const response = await ask(requestSettings(timeout.signal, headers)).asResponse();
    return await read(response, timeout);
  } catch (error) {
    throw openAiError(error, place);
  } finally {
    timeout.stop();
  }
}

/** Reads a whole answer that is JSON; what the server reports in it as an error is thrown. */
export async function answeredJson<T>(
  place: ModelErrorPlace,
  { response, timeout }: { readonly response: Response; readonly timeout: RequestTimeout },
  read: (answer: Readonly<Record<string, unknown>>) => T,
): Promise<T> {
  const answer: unknown = await timeout.within(response.json(), begunAt(response));
  return readAnswer(place, () => read(jsonAnswer(answer, place, response)));
}

/** An object that reports no error. */
export function jsonAnswer(
  answer: unknown,
  place: ModelErrorPlace,
  { headers }: Response,
): Readonly<Record<string, unknown>> {
  if (!isRecord(answer)) throw notTheApi(place);
  const error = reportedError(answer);
  if (error !== undefined) throw new ReportedError(error, headers.get('x-request-id') ?? undefined);
  return answer;
}

export function requestSettings(
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> | undefined,
): RequestSettings {
  return headers === undefined ? { signal } : { signal, headers: { ...headers } };
}

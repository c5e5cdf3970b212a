import { bodyChunks, type ChatResponse } from '@vernal/core';
import { type ModelErrorPlace, notTheApi, type RequestTimeout, readAnswer } from '@vernal/core/adapter';
import { type AnswerPlace, fromCompletion } from './open-ai-response.js';
import { serverSentEvents } from './server-sent-events.js';

/** A response to a request for a stream: its events, or the whole answer of a server that does not stream. */
export type OpenedAnswer = { readonly whole: ChatResponse } | { readonly events: AsyncIterable<string> };

interface OpenedPlace {
  readonly answer: AnswerPlace;
  readonly timeout: RequestTimeout;
  readonly place: ModelErrorPlace;
}

/** Looks at what a server of status 200 sends before it is read as a stream. */
export async function openedAnswer(response: Response, { answer, timeout, place }: OpenedPlace): Promise<OpenedAnswer> {
  const kind = response.headers.get('content-type') ?? '';
  if (/^text\/html\b/i.test(kind)) {
    await response.body?.cancel();
    throw notTheApi(place);
  }
  if (!/\bjson\b/i.test(kind)) return { events: serverSentEvents(timeout.chunks(response.body)) };
  const text = await timeout.within(response.text());
  if (/^\s*[[{]/.test(text)) return { whole: readAnswer(place, () => fromCompletion(JSON.parse(text), answer)) };
  // Events under the wrong name.
  return { events: serverSentEvents(bodyChunks(new Response(text).body)) };
}

/** Did the server say that it sends events? */
export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

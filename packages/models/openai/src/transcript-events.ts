import {
  type ModelErrorPlace,
  notTheApi,
  type RequestTimeout,
  readAnswer,
  streamInterrupted,
} from '@vernal/core/adapter';
import { jsonAnswer } from './answered-request.js';
import { isEventStream } from './opened-answer.js';
import { serverSentEvents } from './server-sent-events.js';

/** What an answer is read with. */
interface Reading {
  readonly timeout: RequestTimeout;
  readonly place: ModelErrorPlace;
  /** Told once the text has begun. */
  readonly begun: () => void;
}

/**
 * The pieces of text of a stream. Throws when it ends without the event that closes it; whisper-1 and others that do not stream answer
 * whole, which is one piece. Source: https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event
 */
export async function* transcriptText(response: Response, { timeout, place, begun }: Reading): AsyncGenerator<string> {
  if (!isEventStream(response)) {
    const text = await timeout.within(response.text());
    yield readAnswer(place, () => wholeText(JSON.parse(text), place, response));
    return;
  }
  let said = false;
  for await (const data of serverSentEvents(timeout.chunks(response.body))) {
    const at = { ...place, streaming: said };
    const { delta, done } = readAnswer(at, () => event(data, at, response));
    if (delta !== '') {
      if (!said) begun();
      said = true;
      yield delta;
    }
    if (done) return;
  }
  throw streamInterrupted(place);
}

function wholeText(answer: unknown, place: ModelErrorPlace, response: Response): string {
  const { text } = jsonAnswer(answer, place, response);
  if (typeof text !== 'string') throw notTheApi(place);
  return text;
}

function event(
  data: string,
  place: ModelErrorPlace,
  response: Response,
): { readonly delta: string; readonly done: boolean } {
  if (data === '[DONE]') return { delta: '', done: true };
  const fields = jsonAnswer(JSON.parse(data), place, response);
  const type = fields['type'];
  if (type === 'transcript.text.delta') {
    const { delta } = fields;
    if (typeof delta !== 'string') throw new TypeError('a piece has no text');
    return { delta, done: false };
  }
  return { delta: '', done: type === 'transcript.text.done' };
}

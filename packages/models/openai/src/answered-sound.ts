import { type ModelErrorPlace, notTheApi, type RequestTimeout, readAnswer } from '@vernal/core/adapter';
import { jsonAnswer } from './answered-request.js';

/** Throws when what a server of status 200 sends is no sound: an error that it reports in JSON, a web page, events. */
export async function requireSound(response: Response, timeout: RequestTimeout, place: ModelErrorPlace): Promise<void> {
  const kind = response.headers.get('content-type') ?? '';
  if (/\bjson\b/i.test(kind)) {
    const text = await timeout.within(response.text());
    readAnswer(place, () => jsonAnswer(parsed(text), place, response));
    throw notTheApi(place);
  }
  if (/^(?:text|image|multipart)\//i.test(kind)) {
    await response.body?.cancel();
    throw notTheApi(place);
  }
}

/** Throws for an answer without a byte. */
export function requireBytes(length: number, place: ModelErrorPlace): void {
  readAnswer(place, () => {
    if (length === 0) throw new TypeError('the sound is empty');
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

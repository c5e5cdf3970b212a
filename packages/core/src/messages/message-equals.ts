import { jsonEquals } from '../json/json-equals.js';
import { type Media, mediaBase64 } from '../media/media.js';
import type { Message, ToolResponse } from './message.js';

/** Equal by value, key order aside; media compare by content, whether it is held as bytes or as base64. */
export function messageEquals(a: Message, b: Message): boolean {
  if (a === b) return true;
  if (!jsonEquals(a.metadata, b.metadata)) return false;
  switch (a.type) {
    case 'system':
      return b.type === 'system' && a.text === b.text;
    case 'user':
      return b.type === 'user' && a.text === b.text && mediaEqual(a.media, b.media);
    case 'assistant':
      return (
        b.type === 'assistant' &&
        a.text === b.text &&
        jsonEquals(a.toolCalls, b.toolCalls) &&
        jsonEquals(a.reasoning, b.reasoning) &&
        mediaEqual(a.media, b.media)
      );
    case 'tool':
      return b.type === 'tool' && listsEqual(a.responses, b.responses, responseEquals);
  }
}

function responseEquals(a: ToolResponse, b: ToolResponse): boolean {
  const { media: aMedia, ...aRest } = a;
  const { media: bMedia, ...bRest } = b;
  if ((aMedia === undefined) !== (bMedia === undefined)) return false;
  return jsonEquals(aRest, bRest) && mediaEqual(aMedia ?? [], bMedia ?? []);
}

function mediaEqual(a: readonly Media[], b: readonly Media[]): boolean {
  return listsEqual(
    a,
    b,
    (x, y) => x.mimeType === y.mimeType && x.id === y.id && x.name === y.name && contentEquals(x, y),
  );
}

function contentEquals(a: Media, b: Media): boolean {
  if (a.source.type === 'url' || b.source.type === 'url') return jsonEquals(a.source, b.source);
  return mediaBase64(a) === mediaBase64(b);
}

function listsEqual<T>(a: readonly T[], b: readonly T[], equals: (x: T, y: T) => boolean): boolean {
  return a.length === b.length && a.every((item, i) => i < b.length && equals(item, b[i] as T));
}

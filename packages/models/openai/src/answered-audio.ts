import { isRecord, type Media, type MetadataInput, media, mediaBytes } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { textOf } from './answer-reading.js';
import { audioMimeType } from './audio-mime-type.js';

/** Sound in an answer, or a piece of it. */
export interface AnsweredAudio {
  readonly id: string | undefined;
  /** '' when the piece holds none. */
  readonly transcript: string;
  readonly media: readonly Media[];
  /** Goes with the message, so that a later turn can name the sound. */
  readonly metadata: MetadataInput;
}

/**
 * Reads `audio` of a message or a chunk. Pieces of one sound share its id, which only the first chunk says. `format` is the one that was
 * asked for: the answer does not tell. Source: https://platform.openai.com/docs/guides/audio
 */
export function answeredAudio(value: unknown, format: string, knownId: string | undefined): AnsweredAudio | undefined {
  if (!isRecord(value)) return undefined;
  const id = textOf(value['id']) ?? knownId;
  const data = textOf(value['data']);
  const mimeType = audioMimeType(format);
  const name = `audio.${format}`;
  return {
    id,
    transcript: textOf(value['transcript']) ?? '',
    media:
      data === undefined
        ? []
        : [media(mimeType, mediaBytes(media(mimeType, { type: 'base64', base64: data })), { id, name })],
    metadata: { audioId: id, audioExpiresAt: reportedCount(value['expires_at']) },
  };
}

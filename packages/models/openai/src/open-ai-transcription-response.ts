import type { JsonRecord, TranscriptionResponse, TranscriptionSegment } from '@vernal/core';
import { fieldsOf, listOf, textOf } from './answer-reading.js';
import { onlyDefined } from './only-defined.js';
import { reportedRateLimit } from './open-ai-rate-limit.js';
import { taskUsage } from './open-ai-usage.js';

/** What of a request and of its answer's headers is needed to read the answer. */
export interface TranscriptPlace {
  readonly model: string;
  readonly headers: Headers;
}

/** An answer in JSON, in any of its three forms. Source: https://platform.openai.com/docs/api-reference/audio/verbose-json-object */
export function fromTranscript(answer: JsonRecord, { model, headers }: TranscriptPlace): TranscriptionResponse {
  const { text } = answer;
  if (typeof text !== 'string') throw new TypeError('a transcript has no text');
  const details = some(listOf(answer['segments'], 'segments'));
  const words = some(listOf(answer['words'], 'words'));
  return {
    text,
    ...onlyDefined({
      segments: details?.map((value) => timed(value, 'text')),
      words: words?.map((value) => timed(value, 'word')),
    }),
    metadata: onlyDefined({
      model: textOf(answer['model']) ?? model,
      usage: taskUsage(answer['usage']),
      language: textOf(answer['language']),
      duration: seconds(answer['duration']),
      logprobs: some(listOf(answer['logprobs'], 'logprobs')),
      speakers: details?.some((value) => speakerOf(value) !== undefined) ? details.map(speakerOf) : undefined,
      segmentDetails: details,
      rateLimit: reportedRateLimit(headers),
    }),
  };
}

/** An answer that is the text itself, or subtitles. */
export function fromPlainTranscript(
  text: string,
  format: string,
  { model, headers }: TranscriptPlace,
): TranscriptionResponse {
  return {
    // The line end belongs to the body, not to what was said.
    text: format === 'text' ? text.replace(/\r?\n$/, '') : text,
    metadata: onlyDefined({ model, usage: {}, format, rateLimit: reportedRateLimit(headers) }),
  };
}

function timed(value: unknown, name: 'text' | 'word'): TranscriptionSegment {
  const entry = fieldsOf(value, 'a segment');
  const { [name]: text, start, end } = entry;
  if (typeof text !== 'string') throw new TypeError('a segment has no text');
  if (typeof start !== 'number' || typeof end !== 'number') throw new TypeError('a segment has no times');
  return { text, start, end };
}

function speakerOf(value: unknown): string | undefined {
  return textOf(fieldsOf(value, 'a segment')['speaker']);
}

/** Some servers send it as text. */
function seconds(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function some(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length === 0 ? undefined : list;
}

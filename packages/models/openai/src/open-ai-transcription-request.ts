import { invalidArgument, type ResolvedTranscriptionOptions } from '@vernal/core';
import { requireModel } from '@vernal/core/adapter';
import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { onlyDefined } from './only-defined.js';
import type { OpenAiTranscriptionOptions } from './open-ai-transcription-options.js';
import type { KnownOptions } from './option-names.js';

type Known = KnownOptions<ResolvedTranscriptionOptions, OpenAiTranscriptionOptions>;

/** The form of a request but for its file, and for `stream`. */
export type TranscriptionForm = Omit<TranscriptionCreateParamsNonStreaming, 'file' | 'stream'>;

const FORMATS: readonly string[] = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'];

/** Throws `invalid_argument` for a format that there is not, and for times in a format that has none. */
export function transcriptionForm({ portable, own }: Known): TranscriptionForm {
  const granularities = timestamps(portable, own);
  const format = own.responseFormat ?? (granularities === undefined ? undefined : 'verbose_json');
  if (format !== undefined && !FORMATS.includes(format)) {
    throw invalidArgument('options.responseFormat', `must be one of ${FORMATS.join(', ')}`);
  }
  if (granularities !== undefined && format !== 'verbose_json') {
    throw invalidArgument('options.responseFormat', "must be 'verbose_json' for times, or be left out");
  }
  const body = {
    model: requireModel(portable.model),
    language: portable.language,
    prompt: portable.prompt,
    temperature: portable.temperature,
    response_format: format,
    timestamp_granularities: granularities,
    include: own.logprobs === true ? ['logprobs' as const] : undefined,
    chunking_strategy: own.chunkingStrategy as 'auto' | undefined,
  };
  return { ...onlyDefined(body), ...own.extra };
}

/** The same for a stream of text. Throws `invalid_argument` for what a stream of text cannot bring. */
export function streamedForm(known: Known): TranscriptionForm {
  const form = transcriptionForm(known);
  const { response_format: format = 'json' } = form;
  if (format === 'json') return form;
  throw invalidArgument(
    known.own.responseFormat === undefined ? 'options.timestamps' : 'options.responseFormat',
    'a stream gives plain text only: leave it out, or use call()',
  );
}

function timestamps(
  { timestamps: wanted }: ResolvedTranscriptionOptions,
  own: Known['own'],
): ('word' | 'segment')[] | undefined {
  const granularities = own.timestampGranularities;
  if (granularities !== undefined) {
    if (!Array.isArray(granularities) || !granularities.every(isGranularity)) {
      throw invalidArgument('options.timestampGranularities', "must be a list of 'word' and 'segment'");
    }
    return granularities.length === 0 ? undefined : [...granularities];
  }
  if (wanted === undefined || wanted === 'none') return undefined;
  if (isGranularity(wanted)) return [wanted];
  throw invalidArgument('options.timestamps', "must be 'none', 'segment' or 'word'");
}

function isGranularity(value: unknown): value is 'word' | 'segment' {
  return value === 'word' || value === 'segment';
}

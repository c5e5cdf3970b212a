import type { ResolvedTranscriptionOptions, Settings, TranscriptionOptions } from '@vernal/core';
import { OptionNames } from './option-names.js';

/** What only OpenAI's transcripts have. Source: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export interface OpenAiTranscriptionOptions {
  /**
   * The form of the answer; 'text', 'srt' and 'vtt' are the response's text as it came. Default 'json', and 'verbose_json' with times.
   * The GPT models know only 'json', those that tell speakers apart 'diarized_json', too.
   */
  readonly responseFormat: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt' | 'diarized_json';
  /** In place of `timestamps`, for both at once: ['word', 'segment']. */
  readonly timestampGranularities: readonly ('word' | 'segment')[];
  /** Log probabilities of the tokens, under `logprobs` of the metadata. Only with 'json', and not of whisper-1. */
  readonly logprobs: boolean;
  /** How the sound is cut: 'auto', or voice detection with settings of one's own, as the API names them. */
  readonly chunkingStrategy: 'auto' | { readonly type: 'server_vad'; readonly [setting: string]: unknown };
  /** Headers of this request, over those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** Goes into the form as it is, over all the above. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export const transcriptionOptionNames: OptionNames<ResolvedTranscriptionOptions, OpenAiTranscriptionOptions> =
  new OptionNames<ResolvedTranscriptionOptions, OpenAiTranscriptionOptions>(
    { model: true, language: true, prompt: true, temperature: true, timestamps: true, providerOptions: true },
    {
      responseFormat: true,
      timestampGranularities: true,
      logprobs: true,
      chunkingStrategy: true,
      headers: true,
      extra: true,
    },
  );

/**
 * Portable and OpenAI's own options in one literal. A name that is neither is `invalid_argument`.
 *
 * @example
 * const { text } = await transcriber.call(audio, openAiTranscriptionOptions({ language: 'en', responseFormat: 'srt' }));
 */
export function openAiTranscriptionOptions(
  options: TranscriptionOptions & Settings<OpenAiTranscriptionOptions>,
): TranscriptionOptions {
  return transcriptionOptionNames.filed(options);
}

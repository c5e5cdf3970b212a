import type { ResolvedSpeechOptions, Settings, SpeechOptions } from '@vernal/core';
import { OptionNames } from './option-names.js';

/** What only OpenAI's speech has. Source: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export interface OpenAiSpeechOptions {
  /** How it is to be said: accent, mood, pace. Not for tts-1 and tts-1-hd. */
  readonly instructions: string;
  /** Id of a voice of one's own, in place of `voice`. */
  readonly voiceId: string;
  /** Headers of this request, over those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** Goes into the request body as it is, over all the above. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export const speechOptionNames: OptionNames<ResolvedSpeechOptions, OpenAiSpeechOptions> = new OptionNames<
  ResolvedSpeechOptions,
  OpenAiSpeechOptions
>(
  { model: true, voice: true, format: true, speed: true, providerOptions: true },
  { instructions: true, voiceId: true, headers: true, extra: true },
);

/**
 * Portable and OpenAI's own options in one literal. A name that is neither is `invalid_argument`.
 *
 * @example
 * await speech.call('Good morning', openAiSpeechOptions({ voice: 'coral', instructions: 'Whisper.' }));
 */
export function openAiSpeechOptions(options: SpeechOptions & Settings<OpenAiSpeechOptions>): SpeechOptions {
  return speechOptionNames.filed(options);
}

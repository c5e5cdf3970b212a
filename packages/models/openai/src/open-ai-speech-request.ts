import { invalidArgument, type ResolvedSpeechOptions } from '@vernal/core';
import { requireModel } from '@vernal/core/adapter';
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import { onlyDefined } from './only-defined.js';
import type { OpenAiSpeechOptions } from './open-ai-speech-options.js';
import type { KnownOptions } from './option-names.js';

/** The body of a request for speech. Throws `invalid_argument` for a text that says nothing and a speed out of range. */
export function speechRequest(
  text: string,
  { portable, own }: KnownOptions<ResolvedSpeechOptions, OpenAiSpeechOptions>,
): SpeechCreateParams {
  if (typeof text !== 'string' || text.trim() === '')
    throw invalidArgument('text', 'must be a text that says something');
  const { voice, format, speed } = portable;
  if (speed !== undefined && !(speed >= 0.25 && speed <= 4)) {
    throw invalidArgument('options.speed', 'must be a number from 0.25 to 4; 1 is normal');
  }
  const body = {
    model: requireModel(portable.model),
    input: text,
    voice: own.voiceId === undefined ? voice : { id: own.voiceId },
    response_format: format as 'mp3' | undefined,
    speed,
    instructions: own.instructions,
  };
  // Servers of one's own may have a voice that nobody need name.
  return { ...onlyDefined(body), ...own.extra } as SpeechCreateParams;
}

import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { Settings } from '../options/chat-options.js';
import type { Resource } from '../resource/resource.js';

/** The portable options without null or undefined: what a model works from once everything is merged. */
export interface ResolvedTranscriptionOptions {
  readonly model?: string;
  /** Of the audio, ISO-639-1: 'en'. Default: the model finds out. */
  readonly language?: string;
  /** Text before the audio, or words that may occur in it: helps with names and spelling. */
  readonly prompt?: string;
  readonly temperature?: number;
  /** How finely times are given, where the model can. Default 'none'. */
  readonly timestamps?: 'none' | 'segment' | 'word';
  /** Typed options of providers, by provider name; read only by their owner. Merged per provider and key. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Options as a caller writes them: undefined keeps the model's default, null unsets it.
 * Source: `AudioTranscriptionOptions` of spring-ai-model.
 */
export interface TranscriptionOptions extends Settings<ResolvedTranscriptionOptions> {}

/** A sentence, a phrase or a word, and when it was said. */
export interface TranscriptionSegment {
  readonly text: string;
  /** Seconds from the beginning of the audio. */
  readonly start: number;
  /** Seconds from the beginning of the audio. */
  readonly end: number;
}

/** What was said, and when if that was asked for. Source: `AudioTranscriptionResponse` of spring-ai-model. */
export interface TranscriptionResponse {
  readonly text: string;
  /** With `timestamps: 'segment'`, in order. */
  readonly segments?: readonly TranscriptionSegment[];
  /** With `timestamps: 'word'`, in order. */
  readonly words?: readonly TranscriptionSegment[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Writes down what is said. Source: `TranscriptionModel` of spring-ai-model.
 *
 * @example
 * const { text } = await transcriber.call(urlResource('https://example.com/talk.mp3'), { language: 'en' });
 */
export interface TranscriptionModel {
  /** Lower case, stable: 'openai'. The key of `providerOptions` and of telemetry. */
  readonly provider: string;
  call(audio: Resource | Media, options?: TranscriptionOptions, context?: CallContext): Promise<TranscriptionResponse>;
  /** Text deltas. Absent: not supported. Lazy, single use; leaving the loop closes the connection. */
  stream?(audio: Resource | Media, options?: TranscriptionOptions, context?: CallContext): AsyncIterable<string>;
}

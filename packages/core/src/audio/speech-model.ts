import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { Settings } from '../options/chat-options.js';

/** The portable options without null or undefined: what a model works from once everything is merged. */
export interface ResolvedSpeechOptions {
  readonly model?: string;
  /** In the provider's words: 'alloy', a voice id. */
  readonly voice?: string;
  /** Of the audio: 'mp3', 'opus', 'wav', 'pcm', as far as the provider has it. */
  readonly format?: string;
  /** 1 is normal. */
  readonly speed?: number;
  /** Typed options of providers, by provider name; read only by their owner. Merged per provider and key. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Options as a caller writes them: undefined keeps the model's default, null unsets it. Source: `TextToSpeechOptions` of spring-ai-model.
 */
export interface SpeechOptions extends Settings<ResolvedSpeechOptions> {}

/** The spoken text. Source: `TextToSpeechResponse` of spring-ai-model. */
export interface SpeechResponse {
  /** Whole; its MIME type is that of the format. */
  readonly audio: Media;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Speaks text. Source: `TextToSpeechModel` and `StreamingTextToSpeechModel` of spring-ai-model.
 *
 * @example
 * for await (const piece of speech.stream('Good morning', { voice: 'alloy', format: 'mp3' })) player.write(piece);
 */
export interface SpeechModel {
  /** Lower case, stable: 'openai'. The key of `providerOptions` and of telemetry. */
  readonly provider: string;
  call(text: string, options?: SpeechOptions, context?: CallContext): Promise<SpeechResponse>;
  /** Pieces of the encoded audio, in order; joined they are what `call` gives. Lazy, single use; leaving the loop closes the connection. */
  stream(text: string, options?: SpeechOptions, context?: CallContext): AsyncIterable<Uint8Array>;
}

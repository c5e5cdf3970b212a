import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { Settings } from '../options/chat-options.js';

export interface ResolvedSpeechOptions {
  readonly model?: string;
  readonly voice?: string;
  readonly format?: string;
  /** 1 is normal. */
  readonly speed?: number;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface SpeechOptions extends Settings<ResolvedSpeechOptions> {}

export interface SpeechResponse {
  readonly audio: Media;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SpeechModel {
  readonly provider: string;
  call(text: string, options?: SpeechOptions, context?: CallContext): Promise<SpeechResponse>;
  /** Pieces of the encoded audio. */
  stream(text: string, options?: SpeechOptions, context?: CallContext): AsyncIterable<Uint8Array>;
}

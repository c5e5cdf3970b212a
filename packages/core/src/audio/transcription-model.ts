import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { Settings } from '../options/chat-options.js';
import type { Resource } from '../resource/resource.js';

export interface ResolvedTranscriptionOptions {
  readonly model?: string;
  readonly language?: string;
  readonly prompt?: string;
  readonly temperature?: number;
  readonly timestamps?: 'none' | 'segment' | 'word';
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface TranscriptionOptions extends Settings<ResolvedTranscriptionOptions> {}

export interface TranscriptionSegment {
  readonly text: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

export interface TranscriptionResponse {
  readonly text: string;
  readonly segments?: readonly TranscriptionSegment[];
  readonly words?: readonly TranscriptionSegment[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface TranscriptionModel {
  readonly provider: string;
  call(audio: Resource | Media, options?: TranscriptionOptions, context?: CallContext): Promise<TranscriptionResponse>;
  /** Text deltas. Absent: not supported. */
  stream?(audio: Resource | Media, options?: TranscriptionOptions, context?: CallContext): AsyncIterable<string>;
}

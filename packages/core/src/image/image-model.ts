import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { Settings } from '../options/chat-options.js';
import type { Usage } from '../responses/usage.js';

export interface ResolvedImageOptions {
  readonly model?: string;
  readonly n?: number;
  readonly width?: number;
  readonly height?: number;
  readonly responseFormat?: 'url' | 'base64';
  readonly style?: string;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ImageOptions extends Settings<ResolvedImageOptions> {}

export interface ImagePrompt {
  readonly messages: readonly { readonly text: string; readonly weight?: number; readonly media?: readonly Media[] }[];
  readonly options?: ImageOptions | undefined;
}

export interface ImageGeneration {
  readonly image: Media;
  readonly metadata: { readonly revisedPrompt?: string; readonly [key: string]: unknown };
}

export interface ImageResponse {
  readonly results: readonly ImageGeneration[];
  readonly metadata: { readonly model?: string; readonly usage: Usage; readonly [key: string]: unknown };
}

export interface ImageModel {
  readonly provider: string;
  call(prompt: string | ImagePrompt, context?: CallContext): Promise<ImageResponse>;
}

import type { TemplateRenderer } from './template-renderer.js';

export interface DefaultRendererOptions {
  /** Default '{' and '}'. One or more characters each, not equal. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** A missing variable: 'throw' (default), 'warn' (renders ''), 'none' (renders ''). */
  readonly validation?: 'throw' | 'warn' | 'none' | undefined;
}

/** Only `{name(.name)*}` is a placeholder; any other brace is literal, with or without variables. Names may be of any script. */
export declare function defaultRenderer(options?: DefaultRendererOptions): TemplateRenderer;

import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { UserMessage } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { Resource } from '../resource/resource.js';
import type { TemplateRenderer, TemplateVariables } from './template-renderer.js';

export interface TemplateOptions {
  readonly template: string;
  readonly variables?: TemplateVariables | undefined;
  readonly renderer?: TemplateRenderer | undefined;
}

/** A template of text. Immutable; variables given later win over those given at construction, key by key. */
export declare class PromptTemplate {
  constructor(template: string | TemplateOptions);
  /** Reads the resource as text first. */
  static from(resource: Resource, options?: Omit<TemplateOptions, 'template'> & CallContext): Promise<PromptTemplate>;
  readonly template: string;
  readonly variables: TemplateVariables;
  /** Placeholders that the template really holds; for checks at construction. */
  readonly placeholders: readonly string[];
  with(variables: TemplateVariables): PromptTemplate;
  render(variables?: TemplateVariables): string;
  createMessage(variables?: TemplateVariables, media?: readonly Media[]): UserMessage;
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt;
}

/** Throws `template` naming every placeholder of `names` that the template does not hold as a placeholder. */
export declare function requirePlaceholders(template: PromptTemplate, names: readonly string[]): void;

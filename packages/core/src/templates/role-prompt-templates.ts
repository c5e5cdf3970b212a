import type { CallContext } from '../context/call-context.js';
import type { AssistantMessage, SystemMessage } from '../messages/message.js';
import { assistantMessage, systemMessage } from '../messages/message-factories.js';
import type { ChatOptions } from '../options/chat-options.js';
import { Prompt } from '../prompt/prompt.js';
import type { Resource } from '../resource/resource.js';
import { PromptTemplate, type TemplateOptions, templateFrom } from './prompt-template.js';
import type { TemplateVariables } from './template-renderer.js';

/** Kept out of the classes' types so that two copies of the package agree on them. */
const texts = new WeakMap<object, PromptTemplate>();

function render(owner: object, variables: TemplateVariables | undefined): string {
  return texts.get(owner)?.render(variables) ?? '';
}

/** A template of a system message. Throws `invalid_argument` for a blank template. Source: `SystemPromptTemplate` of spring-ai-model. */
export class SystemPromptTemplate {
  constructor(template: string | TemplateOptions) {
    texts.set(this, new PromptTemplate(template));
  }

  /** Reads the resource as text first. */
  static async from(
    resource: Resource,
    options?: Omit<TemplateOptions, 'template'> & CallContext,
  ): Promise<SystemPromptTemplate> {
    return new SystemPromptTemplate(await templateFrom(resource, options));
  }

  /** Throws `TemplateError` when variables are missing. */
  render(variables?: TemplateVariables): string {
    return render(this, variables);
  }

  /** Of the rendered text. Throws `TemplateError` when variables are missing. */
  createMessage(variables?: TemplateVariables): SystemMessage {
    return systemMessage(this.render(variables));
  }

  /** The system message alone. */
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt {
    return new Prompt(this.createMessage(variables), options);
  }
}

/**
 * A template of an assistant message, for examples in a prompt. Throws `invalid_argument` for a blank template.
 * Source: `AssistantPromptTemplate` of spring-ai-model.
 */
export class AssistantPromptTemplate {
  constructor(template: string | TemplateOptions) {
    texts.set(this, new PromptTemplate(template));
  }

  /** Reads the resource as text first. */
  static async from(
    resource: Resource,
    options?: Omit<TemplateOptions, 'template'> & CallContext,
  ): Promise<AssistantPromptTemplate> {
    return new AssistantPromptTemplate(await templateFrom(resource, options));
  }

  /** Throws `TemplateError` when variables are missing. */
  render(variables?: TemplateVariables): string {
    return render(this, variables);
  }

  /** Of the rendered text. Throws `TemplateError` when variables are missing. */
  createMessage(variables?: TemplateVariables): AssistantMessage {
    return assistantMessage(this.render(variables));
  }

  /** The assistant message alone. */
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt {
    return new Prompt(this.createMessage(variables), options);
  }
}

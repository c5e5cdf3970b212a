import type { CallContext } from '../context/call-context.js';
import type { AssistantMessage, SystemMessage } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { Resource } from '../resource/resource.js';
import type { TemplateOptions } from './prompt-template.js';
import type { TemplateVariables } from './template-renderer.js';

export declare class SystemPromptTemplate {
  constructor(template: string | TemplateOptions);
  static from(
    resource: Resource,
    options?: Omit<TemplateOptions, 'template'> & CallContext,
  ): Promise<SystemPromptTemplate>;
  render(variables?: TemplateVariables): string;
  createMessage(variables?: TemplateVariables): SystemMessage;
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt;
}

export declare class AssistantPromptTemplate {
  constructor(template: string | TemplateOptions);
  render(variables?: TemplateVariables): string;
  createMessage(variables?: TemplateVariables): AssistantMessage;
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt;
}

import type { Message } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { PromptTemplate } from './prompt-template.js';
import type { AssistantPromptTemplate, SystemPromptTemplate } from './role-prompt-templates.js';
import type { TemplateVariables } from './template-renderer.js';

export declare class ChatPromptTemplate {
  constructor(templates: readonly (PromptTemplate | SystemPromptTemplate | AssistantPromptTemplate)[]);
  render(variables?: TemplateVariables): string;
  createMessages(variables?: TemplateVariables): Message[];
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt;
}

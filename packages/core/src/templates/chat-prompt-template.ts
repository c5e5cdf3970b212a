import { invalidArgument } from '../errors/invalid-argument.js';
import type { Message } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';
import { Prompt } from '../prompt/prompt.js';
import type { PromptTemplate } from './prompt-template.js';
import type { AssistantPromptTemplate, SystemPromptTemplate } from './role-prompt-templates.js';
import type { TemplateVariables } from './template-renderer.js';

type AnyTemplate = PromptTemplate | SystemPromptTemplate | AssistantPromptTemplate;

/** Kept out of the class's type so that two copies of the package agree on it. */
const lists = new WeakMap<ChatPromptTemplate, readonly AnyTemplate[]>();

/**
 * Templates of a whole conversation, each a message; all are given the same variables.
 * Throws `invalid_argument` for an empty list. Source: `ChatPromptTemplate` of spring-ai-model.
 *
 * @example
 * const chat = new ChatPromptTemplate([new SystemPromptTemplate('You are {name}.'), new PromptTemplate('Tell a {adjective} joke')]);
 * const prompt = chat.create({ name: 'Bob', adjective: 'dry' });
 */
export class ChatPromptTemplate {
  constructor(templates: readonly AnyTemplate[]) {
    if (templates.length === 0) throw invalidArgument('templates', 'must hold at least one template');
    lists.set(this, [...templates]);
  }

  /** The texts of all messages, joined by nothing. */
  render(variables?: TemplateVariables): string {
    return templatesOf(this)
      .map((template) => template.render(variables))
      .join('');
  }

  /** A message for each template. Throws `TemplateError` when variables are missing. */
  createMessages(variables?: TemplateVariables): Message[] {
    return templatesOf(this).map((template): Message => template.createMessage(variables));
  }

  /** A prompt of these messages. Throws `TemplateError` when variables are missing. */
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt {
    return new Prompt(this.createMessages(variables), options);
  }
}

function templatesOf(template: ChatPromptTemplate): readonly AnyTemplate[] {
  return lists.get(template) ?? [];
}

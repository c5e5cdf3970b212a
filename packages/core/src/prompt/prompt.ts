import { invalidArgument } from '../errors/invalid-argument.js';
import type { Message, SystemMessage, ToolResponseMessage, UserMessage } from '../messages/message.js';
import { messageText, systemMessage, userMessage } from '../messages/message-factories.js';
import type { ChatOptions } from '../options/chat-options.js';
import { overlayChatOptions } from '../options/merge-chat-options.js';

const NO_OPTIONS: ChatOptions = Object.freeze({});

/**
 * Messages and options. Immutable; has no private state, so two copies of the package agree on its type.
 * The list of messages is copied, the options object is kept as it is given. Source: `Prompt` of spring-ai-model.
 *
 * @example
 * const prompt = new Prompt([systemMessage('Be brief.'), userMessage('Hi')], { temperature: 0 });
 * prompt.augmentUserMessage('Hello').contents; // 'Be brief.Hello'
 */
export class Prompt {
  /** In the order they are sent. */
  readonly messages: readonly Message[];
  /** {} when none were given. */
  readonly options: ChatOptions;

  /** A string is one user message. An empty list is allowed; holes are `invalid_argument`. */
  constructor(messages: string | Message | readonly Message[], options?: ChatOptions) {
    this.messages = typeof messages === 'string' ? [userMessage(messages)] : copyMessages(messages);
    this.options = options ?? NO_OPTIONS;
  }

  /** The last user message, or an empty one. */
  get userMessage(): UserMessage {
    return this.messages.findLast(isUser) ?? userMessage('');
  }

  /** All of them, oldest first. */
  get userMessages(): readonly UserMessage[] {
    return this.messages.filter(isUser);
  }

  /** The first system message, or an empty one. */
  get systemMessage(): SystemMessage {
    return this.messages.find(isSystem) ?? systemMessage('');
  }

  /** All of them, in order. */
  get systemMessages(): readonly SystemMessage[] {
    return this.messages.filter(isSystem);
  }

  /** The last user or tool message, or an empty user message. */
  get lastUserOrToolResponseMessage(): UserMessage | ToolResponseMessage {
    return this.messages.findLast(isUserOrTool) ?? userMessage('');
  }

  /** All texts, joined by nothing. */
  get contents(): string {
    return this.messages.map(messageText).join('');
  }

  /** Replaces the last user message; without one, appends. A string replaces its text and keeps its media and metadata. */
  augmentUserMessage(change: string | ((message: UserMessage) => UserMessage)): Prompt {
    const at = this.messages.findLastIndex(isUser);
    const before = this.userMessage;
    const after = typeof change === 'string' ? { ...before, text: change } : change(before);
    return at === -1 ? this.withMessages([...this.messages, after]) : this.withMessages(this.messages.with(at, after));
  }

  /** Replaces the first system message in place; without one, inserts at 0. A string replaces its text and keeps its metadata. */
  augmentSystemMessage(change: string | ((message: SystemMessage) => SystemMessage)): Prompt {
    const at = this.messages.findIndex(isSystem);
    const before = this.systemMessage;
    const after = typeof change === 'string' ? { ...before, text: change } : change(before);
    return at === -1 ? this.withMessages([after, ...this.messages]) : this.withMessages(this.messages.with(at, after));
  }

  /** Merged over the present options. A null stays, so that it unsets the model's default too. */
  withOptions(options: ChatOptions): Prompt {
    return new Prompt(this.messages, overlayChatOptions(this.options, options));
  }

  /** A copy with these in place of all messages; the options stay. */
  withMessages(messages: readonly Message[]): Prompt {
    return new Prompt(messages, this.options);
  }
}

function copyMessages(messages: Message | readonly Message[]): readonly Message[] {
  if (!isList(messages)) {
    checkMessage(messages);
    return [messages];
  }
  for (let i = 0; i < messages.length; i++) checkMessage(messages[i], i);
  return messages.slice();
}

function isList(messages: Message | readonly Message[]): messages is readonly Message[] {
  return Array.isArray(messages);
}

function checkMessage(message: Message | null | undefined, i?: number): void {
  if (typeof message?.type !== 'string') {
    throw invalidArgument(
      i === undefined ? 'messages' : `messages[${i}]`,
      'must be a message, as userMessage() and its kin make them',
    );
  }
}

function isUser(message: Message): message is UserMessage {
  return message.type === 'user';
}

function isSystem(message: Message): message is SystemMessage {
  return message.type === 'system';
}

function isUserOrTool(message: Message): message is UserMessage | ToolResponseMessage {
  return message.type === 'user' || message.type === 'tool';
}

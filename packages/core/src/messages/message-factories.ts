import { invalidArgument } from '../errors/invalid-argument.js';
import { jsonFromInput } from '../json/json-from-input.js';
import type { JsonInput } from '../json/json-value.js';
import { type MetadataInput, metadataFromInput, NO_METADATA } from '../json/metadata.js';
import type { Media } from '../media/media.js';
import type {
  AssistantMessage,
  Message,
  ReasoningPart,
  SystemMessage,
  ToolCall,
  ToolResponse,
  ToolResponseMessage,
  UserMessage,
} from './message.js';

/** What a message of any kind may be given beside its content. */
export interface MessageOptions {
  /** `Date` becomes ISO text; what is not JSON is `invalid_argument`. */
  readonly metadata?: MetadataInput | undefined;
}

/** Shared by every message without media, tool calls or reasoning. */
const NONE: readonly never[] = Object.freeze([]);

/** Throws `invalid_argument` for what is not text, and for metadata that is not JSON. */
export function systemMessage(text: string, options?: MessageOptions): SystemMessage {
  checkText(text, 'text');
  return { type: 'system', text, metadata: metadataFromInput(options?.metadata) };
}

/**
 * '' is text, too: a picture may come without words. Lists are copied. Throws `invalid_argument` for what is not text, and for metadata
 * that is not JSON.
 *
 * @example
 * userMessage('What is on this picture?', { media: [media('image/png', bytes)], metadata: { askedAt: new Date() } });
 */
export function userMessage(
  text: string,
  options?: MessageOptions & { readonly media?: readonly Media[] | undefined },
): UserMessage {
  checkText(text, 'text');
  return {
    type: 'user',
    text,
    media: copyList(options?.media, 'media'),
    metadata: metadataFromInput(options?.metadata),
  };
}

/** An answer of a model, or what is to pass for one in an example. Everything may be left out. */
export interface AssistantMessageInput extends MessageOptions {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly media?: readonly Media[] | undefined;
  readonly reasoning?: readonly ReasoningPart[] | undefined;
}

/** Without content: a message that says nothing. Lists are copied. */
export function assistantMessage(content?: string | AssistantMessageInput): AssistantMessage {
  if (content === undefined || typeof content === 'string') {
    return {
      type: 'assistant',
      text: content ?? '',
      toolCalls: NONE,
      media: NONE,
      reasoning: NONE,
      metadata: NO_METADATA,
    };
  }
  const text = content.text ?? '';
  checkText(text, 'text');
  return {
    type: 'assistant',
    text,
    toolCalls: copyList(content.toolCalls, 'toolCalls'),
    media: copyList(content.media, 'media'),
    reasoning: copyList(content.reasoning, 'reasoning'),
    metadata: metadataFromInput(content.metadata),
  };
}

/** What a tool answered to one call; `id` and `name` are those of the call. */
export interface ToolResponseInput {
  readonly id: string;
  readonly name: string;
  readonly result: string;
  readonly media?: readonly Media[] | undefined;
  readonly structured?: JsonInput;
  readonly isError?: boolean | undefined;
}

/** All answers of one tool round, in the order of the calls. */
export function toolResponseMessage(
  responses: readonly ToolResponseInput[],
  options?: MessageOptions,
): ToolResponseMessage {
  return {
    type: 'tool',
    responses: copyList(responses, 'responses').map(toolResponse),
    metadata: metadataFromInput(options?.metadata),
  };
}

/** The text of any message; of a tool message its results joined by a newline. */
export function messageText(message: Message): string {
  return message.type === 'tool' ? message.responses.map((response) => response.result).join('\n') : message.text;
}

function toolResponse(input: ToolResponseInput, i: number): ToolResponse {
  const { id, name, result, media, structured, isError } = input;
  if (typeof id !== 'string') checkText(id, `responses[${i}].id`);
  if (typeof name !== 'string') checkText(name, `responses[${i}].name`);
  if (typeof result !== 'string') checkText(result, `responses[${i}].result`);
  if (media === undefined && structured === undefined && isError === undefined) return { id, name, result };
  return {
    id,
    name,
    result,
    ...(media === undefined ? undefined : { media: copyList(media, `responses[${i}].media`) }),
    ...(structured === undefined ? undefined : { structured: jsonFromInput(structured, `responses[${i}].structured`) }),
    ...(isError === undefined ? undefined : { isError }),
  };
}

function checkText(text: unknown, subject: string): void {
  if (typeof text !== 'string') throw invalidArgument(subject, 'must be text');
}

/** The caller may go on pushing to his list; what is in it is plain readonly data and shared. */
function copyList<T extends object>(list: readonly T[] | undefined, subject: string): readonly T[] {
  if (list === undefined || list.length === 0) return NONE;
  if (!Array.isArray(list)) throw invalidArgument(subject, 'must be a list');
  // By index: `Array.from` takes ten times as long, and methods would pass over holes.
  for (let i = 0; i < list.length; i++) {
    const item: T | null | undefined = list[i];
    if (typeof item !== 'object' || item === null) throw invalidArgument(`${subject}[${i}]`, 'must be an object');
  }
  return [...list];
}

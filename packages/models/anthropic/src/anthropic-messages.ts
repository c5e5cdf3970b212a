import type {
  CacheControlEphemeral,
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import {
  invalidArgument,
  type Media,
  type Message,
  messageText,
  type SystemMessage,
  type ToolResponse,
  type UserMessage,
} from '@vernal/core';
import type { CacheBreakpoints } from './anthropic-cache.js';
import { assistantBlocks } from './anthropic-content.js';
import { documentBlock } from './anthropic-documents.js';
import { mediaBlock } from './anthropic-media.js';
import type { AnthropicOptions } from './anthropic-options.js';
import { withTakenIds } from './anthropic-tool-ids.js';

export interface AnthropicConversation {
  readonly system: TextBlockParam[];
  readonly messages: MessageParam[];
}

type Own = Readonly<Partial<AnthropicOptions>>;

/** System texts go to the top; neighbours of one role become one message, since tool results must answer in the very next one. */
export function anthropicConversation(
  messages: readonly Message[],
  own: Own,
  cache: CacheBreakpoints,
): AnthropicConversation {
  const system = systemBlocks(messages, cache);
  const others = withTakenIds(messages.filter((message) => message.type !== 'system'));
  const lastUser = others.findLastIndex((message) => message.type === 'user');
  const lastTool = cache.toolResults ? others.findLastIndex((message) => message.type === 'tool') : -1;
  if (lastUser < 0 && own.citationDocuments !== undefined && own.citationDocuments.length > 0) {
    throw invalidArgument('citationDocuments', 'go in front of the last user message, and there is none; add one');
  }
  const turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const [i, message] of others.entries()) {
    const role = message.type === 'assistant' ? 'assistant' : 'user';
    const content = blocks(message, own);
    if (i === lastUser) content.unshift(...documentBlocks(own, cache));
    if (i === lastUser) mark(content, () => cache.message('user', textOf(others.slice(0, i + 1))));
    else if (i === lastTool) mark(content, () => cache.message('tool', messageText(message)));
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  trimLastAnswer(turns.at(-1));
  return { system, messages: turns };
}

const textOf = (messages: readonly Message[]): string => messages.map(messageText).join('');

function systemBlocks(messages: readonly Message[], cache: CacheBreakpoints): TextBlockParam[] {
  const texts = messages.filter((message): message is SystemMessage => message.type === 'system');
  const system = texts.flatMap(({ text }) => textBlocks(text));
  const at = Math.max(0, system.length - cache.systemOffset);
  const block = system[at];
  if (block === undefined) return system;
  const control = cache.message('system', system.map(({ text }) => text).join('\n\n'));
  if (control !== undefined) system[at] = { ...block, cache_control: control };
  return system;
}

function documentBlocks({ citationDocuments = [] }: Own, cache: CacheBreakpoints): DocumentBlockParam[] {
  return citationDocuments.map((document) => {
    const block = documentBlock(document);
    const control = document.cacheTtl === undefined ? undefined : cache.take(document.cacheTtl);
    return control === undefined ? block : { ...block, cache_control: control };
  });
}

/** A part of the prompt that is cached ends with the last of these blocks. */
function mark(content: ContentBlockParam[], take: () => CacheControlEphemeral | undefined): void {
  const last = content.at(-1);
  const control = last === undefined ? undefined : take();
  if (last !== undefined && control !== undefined) {
    content.splice(-1, 1, { ...last, cache_control: control } as ContentBlockParam);
  }
}

/** The API refuses white space at the end of an answer that it is to continue. */
function trimLastAnswer(turn: { readonly role: string; readonly content: ContentBlockParam[] } | undefined): void {
  const block = turn?.role === 'assistant' ? turn.content.at(-1) : undefined;
  if (block?.type === 'text') turn?.content.splice(-1, 1, { ...block, text: block.text.trimEnd() });
}

function blocks(message: Exclude<Message, SystemMessage>, own: Own): ContentBlockParam[] {
  switch (message.type) {
    case 'user':
      return userBlocks(message, own);
    case 'assistant':
      return assistantBlocks(message);
    case 'tool':
      return message.responses.map(toolResult);
  }
}

function userBlocks({ media, text }: UserMessage, { mediaCitations = false }: Own): ContentBlockParam[] {
  const shown = media.map(mediaCitations ? citedBlock : mediaBlock);
  return [...shown, ...textBlocks(text)];
}

function citedBlock(media: Media): ImageBlockParam | DocumentBlockParam {
  const block = mediaBlock(media);
  if (block.type === 'image') return block;
  return { ...block, ...(media.name === undefined ? {} : { title: media.name }), citations: { enabled: true } };
}

/** The API refuses texts of nothing but white space. */
const textBlocks = (text: string): TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function toolResult(response: ToolResponse): ToolResultBlockParam {
  const media = (response.media ?? []).map(mediaBlock);
  const text = textBlocks(response.result);
  return {
    type: 'tool_result',
    tool_use_id: response.id,
    ...(media.length > 0 ? { content: [...text, ...media] } : text.length > 0 ? { content: response.result } : {}),
    ...(response.isError ? { is_error: true } : {}),
  };
}

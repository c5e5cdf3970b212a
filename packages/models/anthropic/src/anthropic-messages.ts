import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import {
  type AssistantMessage,
  type Media,
  type Message,
  mediaBase64,
  type ReasoningPart,
  type ToolResponse,
  toolCallInput,
  UnsupportedCapabilityError,
} from '@vernal/core';

export interface AnthropicConversation {
  readonly system: TextBlockParam[];
  readonly messages: MessageParam[];
}

/** System texts go to the top; neighbours of one role become one message, since tool results must answer in the very next one. */
export function anthropicConversation(messages: readonly Message[]): AnthropicConversation {
  const system: TextBlockParam[] = [];
  const turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const message of messages) {
    if (message.type === 'system') {
      system.push(...textBlocks(message.text));
      continue;
    }
    const role = message.type === 'assistant' ? 'assistant' : 'user';
    const content = blocks(message);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  trimLastAnswer(turns.at(-1));
  return { system, messages: turns };
}

/** The API refuses white space at the end of an answer that it is to continue. */
function trimLastAnswer(turn: { readonly role: string; readonly content: ContentBlockParam[] } | undefined): void {
  const block = turn?.role === 'assistant' ? turn.content.at(-1) : undefined;
  if (block?.type === 'text') turn?.content.splice(-1, 1, { ...block, text: block.text.trimEnd() });
}

function blocks(message: Exclude<Message, { type: 'system' }>): ContentBlockParam[] {
  switch (message.type) {
    case 'user':
      return [...message.media.map(mediaBlock), ...textBlocks(message.text)];
    case 'assistant':
      return assistantBlocks(message);
    case 'tool':
      return message.responses.map(toolResult);
  }
}

/** The API refuses texts of nothing but white space. */
const textBlocks = (text: string): TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function assistantBlocks(message: AssistantMessage): ContentBlockParam[] {
  return [
    ...message.reasoning.flatMap(thinkingBlock),
    ...textBlocks(message.text),
    ...message.toolCalls.map((call): ContentBlockParam => {
      return { type: 'tool_use', id: call.id, name: call.name, input: toolCallInput(call) };
    }),
  ];
}

/** Thinking goes back as it came; without its signature, or from another provider, the API would refuse it. */
function thinkingBlock(part: ReasoningPart): ContentBlockParam[] {
  if (part.provider !== 'anthropic') return [];
  if (part.redactedData !== undefined) return [{ type: 'redacted_thinking', data: part.redactedData }];
  return part.signature === undefined
    ? []
    : [{ type: 'thinking', thinking: part.text ?? '', signature: part.signature }];
}

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

const images = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function mediaBlock(media: Media): ImageBlockParam | DocumentBlockParam {
  const { mimeType, source } = media;
  if (mimeType.startsWith('image/')) {
    if (source.type === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
    const type = images.find((one) => one === mimeType);
    if (type !== undefined)
      return { type: 'image', source: { type: 'base64', media_type: type, data: mediaBase64(media) } };
  }
  if (mimeType === 'application/pdf') {
    if (source.type === 'url') return { type: 'document', source: { type: 'url', url: source.url } };
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: mediaBase64(media) } };
  }
  throw new UnsupportedCapabilityError(`Anthropic takes JPEG, PNG, GIF and WebP images and PDF, not ${mimeType}`, {
    capability: `media.input.${mimeType}`,
    owner: 'anthropic',
  });
}

import {
  type AssistantMessage,
  type Media,
  type Message,
  mediaBase64,
  type ReasoningPart,
  type ToolResponseMessage,
  UnsupportedCapabilityError,
  type UserMessage,
} from '@vernal/core';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';

/** Some servers give reasoning under one of these names, and want it back. */
type AssistantParam = ChatCompletionAssistantMessageParam & { reasoning_content?: string; reasoning?: string };

/** What of earlier answers goes back beside their text and calls. */
export interface Replay {
  /** The property that reasoning goes back in; undefined: it stays. */
  readonly reasoningProperty: 'reasoning_content' | 'reasoning' | undefined;
  /** Sound that OpenAI still keeps goes back as its id, which only models that speak take; else what it says goes back. */
  readonly replaysAudio: boolean;
}

/** Messages as chat completions take them. */
export function openAiMessages(messages: readonly Message[], replay: Replay): ChatCompletionMessageParam[] {
  return messages.flatMap((message) => messageParams(message, replay));
}

function messageParams(message: Message, replay: Replay): ChatCompletionMessageParam[] {
  switch (message.type) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [userParam(message)];
    case 'assistant':
      return [assistantParam(message, replay)];
    case 'tool':
      return toolParams(message);
  }
}

function userParam({ text, media }: UserMessage): ChatCompletionMessageParam {
  if (media.length === 0) return { role: 'user', content: text };
  const parts = media.map(mediaPart);
  return { role: 'user', content: text === '' ? parts : [{ type: 'text', text }, ...parts] };
}

function assistantParam(message: AssistantMessage, { reasoningProperty, replaysAudio }: Replay): AssistantParam {
  const param: AssistantParam = { role: 'assistant' };
  const audioId = replaysAudio ? keptAudio(message) : undefined;
  if (audioId !== undefined) param.audio = { id: audioId };
  else if (message.text !== '' || message.toolCalls.length === 0) param.content = message.text;
  if (message.toolCalls.length > 0) {
    param.tool_calls = message.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments.trim() === '' ? '{}' : call.arguments },
    }));
  }
  const reasoning = reasoningProperty === undefined ? '' : reasoningText(message.reasoning);
  if (reasoningProperty !== undefined && reasoning !== '') param[reasoningProperty] = reasoning;
  return param;
}

/** The id of a message's sound, unless it has expired. */
function keptAudio({ metadata: { audioId, audioExpiresAt } }: AssistantMessage): string | undefined {
  if (typeof audioId !== 'string') return undefined;
  return typeof audioExpiresAt === 'number' && audioExpiresAt * 1_000 <= Date.now() ? undefined : audioId;
}

function reasoningText(parts: readonly ReasoningPart[]): string {
  return parts
    .filter((part) => part.provider === undefined || part.provider === 'openai')
    .map((part) => part.text ?? '')
    .join('');
}

/** A tool message holds text only; media follow as what the user shows. */
function toolParams({ responses }: ToolResponseMessage): ChatCompletionMessageParam[] {
  const answers = responses.map((response): ChatCompletionMessageParam => {
    return { role: 'tool', tool_call_id: response.id, content: response.result };
  });
  const media = responses.flatMap((response) => response.media ?? []);
  return media.length === 0 ? answers : [...answers, { role: 'user', content: media.map(mediaPart) }];
}

function mediaPart(media: Media): ChatCompletionContentPart {
  const { mimeType, source } = media;
  if (mimeType.startsWith('image/')) return { type: 'image_url', image_url: { url: address(media) } };
  if (source.type !== 'url' && (mimeType === 'audio/wav' || mimeType === 'audio/x-wav')) {
    return { type: 'input_audio', input_audio: { data: mediaBase64(media), format: 'wav' } };
  }
  if (source.type !== 'url' && (mimeType === 'audio/mpeg' || mimeType === 'audio/mp3')) {
    return { type: 'input_audio', input_audio: { data: mediaBase64(media), format: 'mp3' } };
  }
  if (source.type !== 'url' && mimeType === 'application/pdf') {
    const name = media.name ?? 'document';
    return { type: 'file', file: { filename: /\.pdf$/i.test(name) ? name : `${name}.pdf`, file_data: address(media) } };
  }
  const how = source.type === 'url' ? ' by address: read the bytes first' : '';
  throw new UnsupportedCapabilityError(`OpenAI takes no ${mimeType}${how}`, {
    capability: `media.input.${mimeType}`,
    owner: 'openai',
  });
}

function address(media: Media): string {
  return media.source.type === 'url' ? media.source.url : `data:${media.mimeType};base64,${mediaBase64(media)}`;
}

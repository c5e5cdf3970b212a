import type { Media, Message, ToolCall, ToolResponse } from '@vernal/core';
import { readableText, storedMessage } from '@vernal/core/adapter';
import { metadataProperties, type NodeProperty } from './metadata-properties.js';

/** Properties of a node, as a parameter of a statement. */
export type NodeProperties = Readonly<Record<string, NodeProperty | undefined>>;

/** A message as the statements that write take it: its own node, and lists of those beside it. */
export interface MessageNode {
  /** 1 for the first of its list. */
  readonly at: bigint;
  readonly type: Message['type'];
  readonly text: string;
  /** What the message is read from; all others are for queries. */
  readonly message: string;
  /** One element for a system message, none else: what Cypher has in the place of a condition. */
  readonly system: readonly true[];
  /** One node, or none. */
  readonly metadata: readonly NodeProperties[];
  readonly media: readonly NodeProperties[];
  readonly calls: readonly NodeProperties[];
  readonly responses: readonly { readonly node: NodeProperties; readonly media: readonly NodeProperties[] }[];
}

/** Throws `invalid_argument` for what is no message. */
export function messageNode(message: Message, index: number): MessageNode {
  const { type, text, message: encoded } = storedMessage(message);
  const metadata = metadataProperties(message.metadata);
  return {
    at: BigInt(index + 1),
    type,
    text,
    message: encoded,
    system: type === 'system' ? [true] : [],
    metadata: Object.keys(metadata).length > 0 ? [metadata] : [],
    media: message.type === 'user' || message.type === 'assistant' ? message.media.map(mediaNode) : [],
    calls: message.type === 'assistant' ? message.toolCalls.map(callNode) : [],
    responses: message.type === 'tool' ? message.responses.map(responseNode) : [],
  };
}

function callNode(call: ToolCall, index: number): NodeProperties {
  return {
    index: BigInt(index),
    id: readableText(call.id),
    name: readableText(call.name),
    arguments: readableText(call.arguments),
  };
}

function responseNode(response: ToolResponse, index: number): MessageNode['responses'][number] {
  const { id, name, result, isError = false, media = [] } = response;
  const node = {
    index: BigInt(index),
    id: readableText(id),
    name: readableText(name),
    result: readableText(result),
    isError,
  };
  return { node, media: media.map(mediaNode) };
}

/** Without the bytes, which are in the message. */
function mediaNode({ id, name, mimeType, source }: Media, index: number): NodeProperties {
  const isAddress = source.type === 'url' && !/^data:/i.test(source.url);
  return {
    index: BigInt(index),
    mimeType: readableText(mimeType),
    id: id === undefined ? undefined : readableText(id),
    name: name === undefined ? undefined : readableText(name),
    url: isAddress ? readableText(source.url) : undefined,
    size: sizeOf(source),
  };
}

function sizeOf(source: Media['source']): bigint | undefined {
  if (source.type === 'bytes') return BigInt(source.bytes.length);
  if (source.type === 'url') return undefined;
  return BigInt(Math.floor((source.base64.replace(/[^\w+/-]/g, '').length * 3) / 4));
}

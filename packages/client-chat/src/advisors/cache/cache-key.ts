import type { AdvisorChain, ChatClientRequest } from '@vernal/client-chat';
import { OUTPUT_FORMAT } from '@vernal/client-chat';
import type { JsonInput, Message, ResolvedChatOptions } from '@vernal/core';
import { CONVERSATION_ID, canonicalJson, contextValue, encodeMessage, mergeChatOptions } from '@vernal/core';

/** What the key depends on beside the request. */
export interface KeyScope {
  readonly tenant: string | undefined;
  /** True when a memory stands further in: then the answer depends on the conversation. */
  readonly byConversation: boolean;
}

/**
 * 64 hexadecimal characters: SHA-256 over canonical JSON of all that the model's answer depends on. The same in every process. Throws
 * `invalid_argument` for options that are not JSON.
 */
export async function cacheKey(
  request: ChatClientRequest,
  { model }: AdvisorChain,
  { tenant, byConversation }: KeyScope,
): Promise<string> {
  const { prompt, context } = request;
  const conversation: unknown = byConversation ? contextValue(context, CONVERSATION_ID) : undefined;
  const text = canonicalJson({
    v: 1,
    provider: model?.provider,
    options: optionsPart(mergeChatOptions(model?.defaultOptions ?? {}, prompt.options)),
    messages: prompt.messages.map(messagePart),
    format: formatPart(request),
    conversation: typeof conversation === 'string' ? conversation : undefined,
    tenant,
  });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Tools count by what the model is told of them; the tools' context it never sees. */
function optionsPart({ tools, toolContext: _, ...options }: ResolvedChatOptions): JsonInput {
  const definitions = tools?.map(({ definition: { name, description, inputSchema } }) => ({
    name,
    description,
    inputSchema,
  }));
  // Whether what providers are handed is JSON is found out while it is written.
  return { ...options, tools: definitions } as JsonInput;
}

/** No provider is sent the metadata of what others than the model said: a time stamp there makes no other question. */
function messagePart(message: Message): string {
  return encodeMessage(message.type === 'assistant' ? message : { ...message, metadata: {} });
}

/** What `entity()` asks for is put into words next to the model, further in than any advisor. */
function formatPart({ context }: ChatClientRequest): JsonInput {
  const output = contextValue(context, OUTPUT_FORMAT);
  if (output === undefined) return undefined;
  const { converter, native } = output;
  return { native, format: converter.format, schema: converter.jsonSchema } as JsonInput;
}

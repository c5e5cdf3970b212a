// What must not compile: each `@ts-expect-error` is one promise of the types; the compiler fails where one starts to compile.
import { ChatClient } from '@vernal/client-chat';
import { Prompt, assistantMessage, chatOptionsFactory, decodeMessage, document, media, mergeChatOptions, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import type { ChatModel, ChatOptions, ChatResponse, Document, FinishReason, Generation, Message, ResolvedChatOptions, Usage, VernalErrorCode } from '@vernal/core';

declare const model: ChatModel;
declare const response: ChatResponse;
const client = ChatClient.create(model);
// messages, documents, media
// @ts-expect-error bigint is not JSON
userMessage('x', { metadata: { n: 1n } });
// @ts-expect-error functions are not JSON
document('x', { f: () => 1 });
// @ts-expect-error a message has a type of four
export const role: Message = { type: 'function', text: '', metadata: {} };
// @ts-expect-error an assistant message holds its lists, even when empty: use assistantMessage()
export const bare: Message = { type: 'assistant', text: 'x', metadata: {} };
// @ts-expect-error arguments are JSON text
assistantMessage({ toolCalls: [{ id: '1', name: 'n', arguments: { a: 1 } }] });
// @ts-expect-error a tool's answer is text
toolResponseMessage([{ id: '1', name: 'n', result: { a: 1 } }]);
// @ts-expect-error data is readonly
userMessage('x').text = 'y';
// @ts-expect-error system messages have no media
systemMessage('x', { media: [] });
// @ts-expect-error bytes, URL or a tagged source
media('image/png', 12);
export const readText = (d: Document): number =>
  // @ts-expect-error text may be absent: media documents have none
  d.text.length;
// @ts-expect-error decode gives a message of some type, not yet an assistant's
void decodeMessage('{}').toolCalls;

// responses
// @ts-expect-error result may be undefined
export const text: string = response.result.output.text;
// @ts-expect-error a response is made by chatResponse(): result is not to be forgotten
export const handMade: ChatResponse = { results: [], metadata: { usage: {} } };
// @ts-expect-error a counter may be unknown
export const tokens: number = response.metadata.usage.totalTokens;
// @ts-expect-error a generation says which one it is
export const generation: Generation = { output: assistantMessage('x'), metadata: {} };
// @ts-expect-error inputTokens is promptTokens here
export const usage: Usage = { inputTokens: 1 };
// @ts-expect-error an absent counter is absent, not undefined
export const undefinedUsage: Usage = { promptTokens: undefined };
export const reason: FinishReason = 'whatever a provider says';
export const code: VernalErrorCode = 'acme_quota';

// options
interface OpenAiOptions { readonly reasoningEffort: 'low' | 'high'; readonly seed: number }
const openAiChatOptions = chatOptionsFactory<OpenAiOptions>('openai');
// @ts-expect-error a typo in a provider option
openAiChatOptions({ reasoningEfort: 'low' });
// @ts-expect-error a value that the provider does not have
openAiChatOptions({ reasoningEffort: 'huge' });
// @ts-expect-error a typo in a portable option
client.prompt('x').options({ temprature: 1 });
// @ts-expect-error provider options go through their factory
export const raw: ChatOptions = { reasoningEffort: 'low' };
// @ts-expect-error temperature is a number
new Prompt('x', { temperature: '0.2' });
// @ts-expect-error resolved options hold no null
export const resolved: ResolvedChatOptions = { temperature: null };
// @ts-expect-error defaults of a model are resolved
mergeChatOptions({ topK: 'many' }, {});

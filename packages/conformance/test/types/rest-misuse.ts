// What must not compile: each `@ts-expect-error` is one promise of the types; the compiler fails where one starts to compile.
import { BaseChatModel, MessageWindowChatMemory, StructuredOutputError, TEXT_ONLY, VernalError, chatResponse, contextKey, contextValue, userMessage } from '@vernal/core';
import type { ChatMemory, ChatMemoryRepository, ChatModel, EmbeddingModel, Message, ModelRequest } from '@vernal/core';
import { describeVectorStore } from '@vernal/testing';
import type { TestRunner } from '@vernal/testing';
import type { VectorStore } from '@vernal/vector-store';

declare const memory: ChatMemory;
declare const repository: ChatMemoryRepository;
declare const store: VectorStore;
declare const embeddingModel: EmbeddingModel;
declare const runner: TestRunner;
// memory
// @ts-expect-error a conversation id is a string
void memory.add(42, userMessage('x'));
// @ts-expect-error there is no default conversation
void memory.get();
// @ts-expect-error text is not a message
void memory.add('c', 'hello');
// @ts-expect-error append takes a list
void repository.append('c', userMessage('x'));
// @ts-expect-error a sequence is a number
void repository.append('c', [], { expectedSequence: 'latest' });
export const slice = async (): Promise<Message[]> => {
  // @ts-expect-error a slice, not a list: messages, sequences, sequence
  return repository.findByConversationId('c');
};
// @ts-expect-error the option is maxMessages
new MessageWindowChatMemory({ max: 20 });

// models, context keys, errors, rag, suites
// @ts-expect-error a model streams: doStream is missing
export class Mute extends BaseChatModel { readonly provider = 'm'; readonly capabilities = TEXT_ONLY; }
export class Sync extends BaseChatModel {
  readonly provider = 's';
  readonly capabilities = TEXT_ONLY;
  // @ts-expect-error a stream is an async iterable of responses
  protected doStream(request: ModelRequest): string[] { return [request.messages.join()]; }
}
// @ts-expect-error chunks are responses, not text
export const chunks: ChatModel['stream'] = async function* () { yield 'text'; };
const COUNT = contextKey<number>('count');
// @ts-expect-error a typed key gives its type
export const count: string | undefined = contextValue({}, COUNT);
export const narrow = (error: unknown): string => {
  // @ts-expect-error unknown until asked
  if (VernalError.is(error) && !StructuredOutputError.is(error)) return error.rawText;
  return StructuredOutputError.is(error) ? error.rawText : '';
};
// @ts-expect-error an error has a code
new VernalError('boom');
// @ts-expect-error a deviation has a reason
describeVectorStore('x', () => ({ subject: store }), { runner, deviations: [{ case: 'vs.add.empty' }] });
// @ts-expect-error a runner is named
describeVectorStore('x', () => ({ subject: store }), {});
// @ts-expect-error embed takes a list and gives Float32Arrays
void embeddingModel.embed('text');
void chatResponse('ok');

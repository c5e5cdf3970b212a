import {
  assistantMessage,
  type ChatResponse,
  chatResponse,
  type GenerationInput,
  type Input,
  type Metadata,
  type RateLimit,
} from '@vernal/core';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type OpenAiAdditions, openAiFinishReason, openAiMetadata, reasoningParts } from './open-ai-response.js';

/** A chunk as servers really send it: any part may be missing. */
interface ServerChunk extends Partial<Omit<ChatCompletionChunk, 'choices'>> {
  readonly choices?: readonly Partial<ChatCompletionChunk.Choice>[] | null;
  readonly prompt_filter_results?: readonly Metadata[];
  readonly error?: unknown;
}

/** An error that stands in the stream, in the shape of the SDK's errors. */
class StreamedError extends Error {
  readonly error: object;
  readonly code: unknown;
  readonly type: unknown;

  constructor(body: object) {
    super(String(Reflect.get(body, 'message') ?? ''));
    this.error = body;
    this.code = Reflect.get(body, 'code');
    this.type = Reflect.get(body, 'type');
  }
}

/**
 * Chunks of one answer, one after the other: remembers which generations called a tool and which have ended, since the protocol says
 * both in different chunks.
 */
export class ChunkReader {
  readonly #callers = new Set<number>();
  readonly #seen = new Set<number>();
  readonly #ended = new Set<number>();
  #rateLimit: Input<RateLimit> | undefined;
  #done = false;

  constructor(rateLimit: Input<RateLimit> | undefined) {
    this.#rateLimit = rateLimit;
  }

  /** True once the server said that it is through, or every generation that began has said why it ended. */
  get complete(): boolean {
    return this.#done || (this.#seen.size > 0 && this.#seen.size === this.#ended.size);
  }

  /** The chunk in an event's data; undefined when it holds none. Throws what the server reports as an error. */
  read(data: string): ChatResponse | undefined {
    if (data === '' || this.#done) return undefined;
    if (data.startsWith('[DONE]')) {
      this.#done = true;
      // Servers that end without a reason mean that their tool calls are whole.
      const unsaid = [...this.#callers].filter((index) => !this.#ended.has(index));
      return unsaid.length === 0 ? undefined : chatResponse(unsaid.map(endedByTools));
    }
    const chunk = JSON.parse(data) as ServerChunk;
    if (typeof chunk.error === 'object' && chunk.error !== null) throw new StreamedError(chunk.error);
    const response = chatResponse(
      (chunk.choices ?? []).map((choice) => this.#generation(choice)),
      openAiMetadata(chunk, this.#rateLimit),
    );
    this.#rateLimit = undefined;
    return response;
  }

  #generation(choice: Partial<ChatCompletionChunk.Choice>): GenerationInput {
    const index = choice.index ?? 0;
    this.#seen.add(index);
    const delta: Partial<ChatCompletionChunk.Choice.Delta> & OpenAiAdditions = choice.delta ?? {};
    const calls = delta.tool_calls ?? [];
    if (calls.length > 0) this.#callers.add(index);
    const native = choice.finish_reason || undefined;
    if (native !== undefined) this.#ended.add(index);
    const reasoning = reasoningParts(delta);
    const text = delta.content ?? delta.refusal ?? '';
    return {
      index,
      ...(reasoning.length === 0 ? { text } : { output: assistantMessage({ text, reasoning }) }),
      ...(calls.length === 0 ? {} : { toolCallDeltas: calls.map(toolCallDelta) }),
      ...(native === undefined && !delta.refusal
        ? {}
        : {
            metadata: {
              finishReason: openAiFinishReason(native, this.#callers.has(index)),
              nativeFinishReason: native,
              refusal: delta.refusal ?? undefined,
            },
          }),
    };
  }
}

const endedByTools = (index: number): GenerationInput => ({ index, metadata: { finishReason: 'tool_calls' } });

function toolCallDelta(call: Partial<ChatCompletionChunk.Choice.Delta.ToolCall>): {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string | undefined;
} {
  return {
    index: call.index,
    id: call.id || undefined,
    name: call.function?.name || undefined,
    arguments: call.function?.arguments ?? undefined,
  };
}

import {
  assistantMessage,
  type ChatResponse,
  type ChatResponseMetadataInput,
  chatResponse,
  type GenerationMetadata,
  type Input,
} from '@vernal/core';

/** A line of a streamed answer, or the whole one; any part may be missing. */
export interface OllamaAnswer {
  readonly model?: string;
  readonly message?: {
    readonly content?: string;
    readonly thinking?: string;
    readonly tool_calls?: readonly OllamaToolCall[];
  };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  /** Nanoseconds. */
  readonly total_duration?: number;
  readonly load_duration?: number;
  readonly error?: unknown;
}
interface OllamaToolCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: unknown };
}

/** An error that stands among the lines. */
class StreamedError extends Error {
  readonly error: object;

  constructor(message: string) {
    super(message);
    this.error = { message };
  }
}

/** Lines of one answer, one after the other: numbers the tool calls, which have no ids of their own, and remembers that there were any. */
export class AnswerReader {
  #calls: number;
  #callsTools = false;
  #complete = false;

  /** `earlierCalls`: how many tool calls the conversation holds already, so that ids stay unique in it. */
  constructor(earlierCalls: number) {
    this.#calls = earlierCalls;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** A chunk, or the whole answer. Throws what the server reports as an error. */
  read(answer: OllamaAnswer): ChatResponse {
    if (answer.error !== undefined) throw new StreamedError(String(answer.error));
    const { message } = answer;
    const toolCalls = (message?.tool_calls ?? []).map((call) => ({
      id: call.id || `call_${this.#calls++}`,
      name: call.function?.name ?? '',
      arguments: argumentsText(call.function?.arguments),
    }));
    this.#callsTools ||= toolCalls.length > 0;
    this.#complete ||= answer.done === true;
    const text = message?.content ?? '';
    const thinking = message?.thinking ?? '';
    const reasoning = thinking === '' ? [] : [{ text: thinking, provider: 'ollama' }];
    return chatResponse(
      [
        {
          index: 0,
          output: assistantMessage({ text, reasoning, toolCalls }),
          metadata: answer.done === true ? this.#ending(answer.done_reason) : undefined,
        },
      ],
      metadata(answer),
    );
  }

  #ending(native: string | undefined): Input<GenerationMetadata> {
    const reason = native === undefined || native === '' ? 'stop' : native;
    return { finishReason: reason === 'stop' && this.#callsTools ? 'tool_calls' : reason, nativeFinishReason: native };
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function metadata(answer: OllamaAnswer): ChatResponseMetadataInput {
  const milliseconds = (nanoseconds: number | undefined): number | undefined =>
    nanoseconds === undefined ? undefined : nanoseconds / 1_000_000;
  return {
    model: answer.model,
    usage: { promptTokens: answer.prompt_eval_count, completionTokens: answer.eval_count },
    totalDurationMs: milliseconds(answer.total_duration),
    loadDurationMs: milliseconds(answer.load_duration),
  };
}

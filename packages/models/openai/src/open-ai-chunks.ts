import {
  type ChatResponse,
  chatResponse,
  type GenerationInput,
  type Input,
  isRecord,
  type JsonRecord,
  type RateLimit,
} from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { fieldsOf, listOf } from './answer-reading.js';
import { AnsweredChoice } from './answered-choice.js';
import { type AnswerPlace, openAiMetadata } from './open-ai-response.js';
import { ReportedError, reportedError } from './reported-error.js';

/**
 * Chunks of one answer, one after the other: remembers which generations called a tool and which have ended, since the protocol says
 * both in different chunks.
 */
export class ChunkReader {
  readonly #choices = new Map<number, AnsweredChoice>();
  readonly #audioFormat: string;
  readonly #requestId: string | undefined;
  #rateLimit: Input<RateLimit> | undefined;
  #broken: unknown;
  #begun = false;
  #done = false;

  constructor({ audioFormat, rateLimit, requestId }: AnswerPlace) {
    this.#requestId = requestId;
    this.#audioFormat = audioFormat;
    this.#rateLimit = rateLimit;
  }

  /** True once a chunk was read. */
  get begun(): boolean {
    return this.#begun;
  }

  /** True once the server said that it is through, or every generation that began has said why it ended. */
  get complete(): boolean {
    if (this.#done) return true;
    for (const { ended } of this.#choices.values()) if (!ended) return false;
    return this.#choices.size > 0;
  }

  /** The chunk in an event's data; undefined when it holds none. Throws what the server reports as an error. */
  read(data: string): ChatResponse | undefined {
    if (data === '' || this.#done) return undefined;
    if (this.#broken !== undefined) throw this.#broken;
    if (data.startsWith('[DONE]')) {
      this.#done = true;
      // Servers that end without a reason mean that their tool calls are whole.
      const unsaid = [...this.#choices].filter(([, { ended, callsTools }]) => callsTools && !ended);
      return unsaid.length === 0 ? undefined : chatResponse(unsaid.map(([index]) => endedByTools(index)));
    }
    const parsed = this.#parse(data);
    if (parsed === undefined) return undefined;
    const chunk = fieldsOf(parsed.value, 'a chunk');
    const error = reportedError(chunk);
    if (error !== undefined) throw new ReportedError(error, this.#requestId);
    const results = listOf(chunk['choices'], 'choices').map((choice) => this.#generation(fieldsOf(choice, 'a choice')));
    const response = chatResponse(results, openAiMetadata(chunk, this.#rateLimit));
    this.#rateLimit = undefined;
    this.#begun = true;
    return response;
  }

  /** What cannot be parsed is a fault only when more comes after it: at the end it is what a broken connection left. */
  #parse(data: string): { readonly value: unknown } | undefined {
    try {
      return { value: JSON.parse(data) };
    } catch (error) {
      this.#broken = error;
      return undefined;
    }
  }

  #generation(choice: JsonRecord): GenerationInput {
    if (isRecord(choice['error'])) throw new ReportedError(choice['error'], this.#requestId);
    const index = reportedCount(choice['index']) ?? 0;
    let answered = this.#choices.get(index);
    if (answered === undefined) {
      answered = new AnsweredChoice(index, this.#audioFormat);
      this.#choices.set(index, answered);
    }
    return answered.piece(choice, fieldsOf(choice['delta'] ?? NO_FIELDS, 'a delta'));
  }
}

const NO_FIELDS: JsonRecord = Object.freeze({});

const endedByTools = (index: number): GenerationInput => ({ index, metadata: { finishReason: 'tool_calls' } });

import {
  assistantMessage,
  type ChatResponse,
  type ChatResponseMetadataInput,
  chatResponse,
  type GenerationMetadata,
  type Input,
  type JsonRecord,
  type ToolCall,
} from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { fieldsOf, itemsOf, reportedMs, reportedText, textOf } from './answer-shape.js';
import { throwReported } from './reported-error.js';

/**
 * Lines of one answer, one after the other: numbers the tool calls, which have no ids of their own, and remembers what only the whole
 * answer tells. A line of another shape is a TypeError, for `readAnswer`.
 */
export class AnswerReader {
  #calls: number;
  #callsTools = false;
  #complete = false;
  readonly #logprobs: unknown[] = [];

  /** `earlierCalls`: the number of the first tool call, so that ids stay unique in the conversation. */
  constructor(earlierCalls: number) {
    this.#calls = earlierCalls;
  }

  /** Whether the line that ends an answer has come. */
  get complete(): boolean {
    return this.#complete;
  }

  /** A whole answer. Throws what the server reports as an error. */
  readWhole(body: unknown): ChatResponse {
    const answer = fieldsOf(body);
    throwReported(answer);
    return this.#read(answer, fieldsOf(answer['message']), answer['done'] !== false);
  }

  /** A line of a streamed answer. Throws what the server reports as an error. */
  readLine(line: unknown): ChatResponse {
    const answer = fieldsOf(line);
    throwReported(answer);
    const done = answer['done'] === true;
    return this.#read(answer, done && answer['message'] === undefined ? {} : fieldsOf(answer['message']), done);
  }

  #read(answer: JsonRecord, message: JsonRecord, done: boolean): ChatResponse {
    const toolCalls = itemsOf(message['tool_calls']).map((call) => this.#toolCall(fieldsOf(call)));
    this.#callsTools ||= toolCalls.length > 0;
    this.#complete ||= done;
    if (Array.isArray(answer['logprobs'])) for (const one of answer['logprobs']) this.#logprobs.push(one);
    const thinking = textOf(message['thinking']);
    return chatResponse(
      [
        {
          index: 0,
          output: assistantMessage({
            text: textOf(message['content']),
            reasoning: thinking === '' ? [] : [{ text: thinking, provider: 'ollama' }],
            toolCalls,
          }),
          metadata: done ? this.#ending(reportedText(answer['done_reason'])) : undefined,
        },
      ],
      metadata(answer),
    );
  }

  #toolCall(call: JsonRecord): ToolCall {
    const { name, arguments: input } = fieldsOf(call['function']);
    if (typeof name !== 'string') throw new TypeError('the name of a tool was expected');
    return { id: reportedText(call['id']) ?? `call_${this.#calls++}`, name, arguments: argumentsText(input) };
  }

  /** 'load' and 'unload' end an answer to no messages, which is whole as it is. */
  #ending(native: string | undefined): Input<GenerationMetadata> {
    const reason = native === undefined || native === 'load' || native === 'unload' ? 'stop' : native;
    return {
      finishReason: reason === 'stop' && this.#callsTools ? 'tool_calls' : reason,
      nativeFinishReason: native,
      logprobs: this.#logprobs.length === 0 ? undefined : this.#logprobs,
    };
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function metadata(answer: JsonRecord): ChatResponseMetadataInput {
  return {
    model: reportedText(answer['model']),
    usage: {
      promptTokens: reportedCount(answer['prompt_eval_count']),
      completionTokens: reportedCount(answer['eval_count']),
    },
    totalDurationMs: reportedMs(answer['total_duration']),
    loadDurationMs: reportedMs(answer['load_duration']),
    promptEvalDurationMs: reportedMs(answer['prompt_eval_duration']),
    evalDurationMs: reportedMs(answer['eval_duration']),
  };
}

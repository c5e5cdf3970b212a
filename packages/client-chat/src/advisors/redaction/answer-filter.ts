import type { ChatClientResponse, ChunkFilter } from '@vernal/client-chat';
import type { ChatResponse, Generation, GenerationInput, ResponseFold } from '@vernal/core';
import { assistantMessage, chatResponse, responseFold } from '@vernal/core';
import type { TextFilter } from './text-filter.js';

interface Answer {
  readonly filter: TextFilter;
  /** What came in, and what went out. */
  raw: string;
  said: string;
  callsTools: boolean;
}

/** Lets the texts of a stream out through filters. Tool calls go out whole, at the end, and the finish reason beside them. */
export class AnswerFilter implements ChunkFilter {
  readonly #filterOf: () => TextFilter;
  readonly #changeCalls: (response: ChatResponse) => ChatResponse;
  readonly #answers = new Map<number, Answer>();
  #withheld: ResponseFold | undefined;

  constructor(filterOf: () => TextFilter, changeCalls: (response: ChatResponse) => ChatResponse) {
    this.#filterOf = filterOf;
    this.#changeCalls = changeCalls;
  }

  pass(chunk: ChatResponse): ChatResponse | undefined {
    const results = chunk.results.map((generation) => this.#passGeneration(generation));
    if (results.every((generation, i) => generation === chunk.results[i])) return chunk;
    return { ...chunk, results, result: results[0] };
  }

  end({ chatResponse: whole }: ChatClientResponse): ChatResponse | undefined {
    const rest: GenerationInput[] = [];
    for (const [index, answer] of this.#answers) {
      // What a tool loop further in ends with, such as the result of a tool, is in no chunk: a match may begin before it.
      const raw = whole?.results.find((generation) => generation.index === index)?.output.text ?? '';
      const more = raw.startsWith(answer.raw) ? raw.slice(answer.raw.length) : '';
      const text = answer.filter.push(more) + answer.filter.end();
      answer.raw += more;
      answer.said += text;
      if (text !== '') rest.push({ index, text });
    }
    if (rest.length === 0 && this.#withheld === undefined) return undefined;
    const all = responseFold();
    all.add(chatResponse(rest));
    if (this.#withheld !== undefined) all.add(this.#changeCalls(this.#withheld.result()));
    return all.result();
  }

  /** What went out in place of `text`, if that is what came in. */
  saidFor(index: number, text: string): string | undefined {
    const answer = this.#answers.get(index);
    return answer?.raw === text ? answer.said : undefined;
  }

  #passGeneration(generation: Generation): Generation {
    const { index, output, toolCallDeltas, metadata } = generation;
    const answer = this.#answerOf(index);
    const calls = toolCallDeltas !== undefined || output.toolCalls.length > 0;
    answer.callsTools ||= calls;
    const withholds = calls || (answer.callsTools && metadata.finishReason !== undefined);
    if (output.text === '' && !withholds) return generation;
    const text = answer.filter.push(output.text);
    answer.raw += output.text;
    answer.said += text;
    if (!withholds) return { ...generation, output: { ...output, text } };
    this.#withhold({ ...generation, output: { ...assistantMessage(), toolCalls: output.toolCalls } });
    return { index, output: { ...output, text, toolCalls: [] }, metadata: {} };
  }

  #withhold(generation: Generation): void {
    this.#withheld ??= responseFold();
    this.#withheld.add({ results: [generation], result: generation, metadata: chatResponse([]).metadata });
  }

  #answerOf(index: number): Answer {
    let answer = this.#answers.get(index);
    if (answer === undefined) {
      answer = { filter: this.#filterOf(), raw: '', said: '', callsTools: false };
      this.#answers.set(index, answer);
    }
    return answer;
  }
}

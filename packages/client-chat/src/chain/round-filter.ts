import type {
  ChatResponse,
  ChatResponseMetadata,
  Generation,
  GenerationMetadata,
  ReasoningPart,
  Usage,
} from '@vernal/core';
import { addUsage } from '@vernal/core';
import type { ChunkFilter } from './advice.js';

/**
 * What goes out of one round of the tool loop: text, reasoning and media as they come; not the tool calls, which the loop itself
 * answers, nor the finish reason beside them. Reasoning parts are numbered on from round to round, usage is the running total.
 */
export class RoundFilter implements ChunkFilter {
  readonly #usageBefore: Usage | undefined;
  readonly #partsBefore: number;
  #sawCalls = false;

  constructor(usageBefore?: Usage, partsBefore = 0) {
    this.#usageBefore = usageBefore;
    this.#partsBefore = partsBefore;
  }

  pass(chunk: ChatResponse): ChatResponse | undefined {
    if (!this.#touches(chunk)) return chunk;
    const results: Generation[] = [];
    let same = true;
    for (const generation of chunk.results) {
      const passed = this.#passGeneration(generation);
      if (passed !== undefined) results.push(passed);
      same &&= passed === generation;
    }
    if (results.length === 0) return undefined;
    const metadata = this.#counted(chunk.metadata);
    return same && metadata === chunk.metadata ? chunk : { results, result: results[0], metadata };
  }

  #touches({ results }: ChatResponse): boolean {
    for (let i = 0; i < results.length; i++) {
      const generation = results[i];
      if (generation === undefined) continue;
      if (generation.toolCallDeltas !== undefined || generation.output.toolCalls.length > 0) this.#sawCalls = true;
    }
    return this.#sawCalls || this.#usageBefore !== undefined;
  }

  #counted(metadata: ChatResponseMetadata): ChatResponseMetadata {
    const before = this.#usageBefore;
    if (before === undefined || isEmpty(metadata.usage)) return metadata;
    return { ...metadata, usage: addUsage(before, metadata.usage) };
  }

  #passGeneration(generation: Generation): Generation | undefined {
    const { output } = generation;
    const metadata = this.#sawCalls ? withoutFinish(generation.metadata) : generation.metadata;
    const silent = output.text === '' && output.reasoning.length + output.media.length === 0;
    if (silent && isEmpty(metadata) && isEmpty(output.metadata)) return undefined;
    const renumbers = this.#partsBefore > 0 && output.reasoning.length > 0;
    if (!this.#sawCalls && !renumbers) return generation;
    const reasoning = renumbers ? output.reasoning.map(this.#numbered) : output.reasoning;
    return { index: generation.index, output: { ...output, toolCalls: [], reasoning }, metadata };
  }

  readonly #numbered = (part: ReasoningPart, position: number): ReasoningPart => ({
    ...part,
    index: this.#partsBefore + (part.index ?? position),
  });
}

function withoutFinish(metadata: GenerationMetadata): GenerationMetadata {
  if (metadata.finishReason === undefined) return metadata;
  const { finishReason: _, nativeFinishReason: __, ...others } = metadata;
  return others;
}

function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}

/** The answer of a later round, with its reasoning parts numbered on from those of the rounds before. */
export function numberedOn(response: ChatResponse, partsBefore: number): ChatResponse {
  if (partsBefore === 0 || response.results.every(({ output }) => output.reasoning.length === 0)) return response;
  const results = response.results.map((generation) => ({
    ...generation,
    output: {
      ...generation.output,
      reasoning: generation.output.reasoning.map((part, i) => ({ ...part, index: partsBefore + i })),
    },
  }));
  return { ...response, results, result: results[0] };
}

import type { ChatResponse, Generation, ReasoningPart, Usage } from '@vernal/core';
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
    const results = chunk.results.flatMap((generation) => this.#passGeneration(generation));
    if (results.length === 0) return undefined;
    const { usage } = chunk.metadata;
    return {
      results,
      result: results[0],
      metadata:
        this.#usageBefore === undefined || Object.keys(usage).length === 0
          ? chunk.metadata
          : { ...chunk.metadata, usage: addUsage(this.#usageBefore, usage) },
    };
  }

  #touches({ results }: ChatResponse): boolean {
    for (let i = 0; i < results.length; i++) {
      const generation = results[i];
      if (generation === undefined) continue;
      if (generation.toolCallDeltas !== undefined || generation.output.toolCalls.length > 0) this.#sawCalls = true;
    }
    return this.#sawCalls || this.#usageBefore !== undefined;
  }

  #passGeneration(generation: Generation): Generation[] {
    const { toolCallDeltas: _, output, metadata, ...rest } = generation;
    const { finishReason, nativeFinishReason: __, ...others } = metadata;
    const kept = this.#sawCalls && finishReason !== undefined ? others : metadata;
    const empty = output.text === '' && output.reasoning.length + output.media.length === 0;
    if (empty && Object.keys(kept).length + Object.keys(output.metadata).length === 0) return [];
    const reasoning = this.#partsBefore === 0 ? output.reasoning : output.reasoning.map(this.#numbered);
    return [{ ...rest, output: { ...output, toolCalls: [], reasoning }, metadata: kept }];
  }

  readonly #numbered = (part: ReasoningPart, position: number): ReasoningPart => ({
    ...part,
    index: this.#partsBefore + (part.index ?? position),
  });
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

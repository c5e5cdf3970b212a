import type { ReasoningPart } from '../messages/message.js';
import type { ChatResponse, Generation, GenerationMetadata } from '../responses/chat-response.js';
import { addUsage, type Usage } from '../responses/usage.js';

/** The chunks of one round as pieces of the whole turn's answer: without its tool calls, counted on from the rounds before. */
export class RoundChunks {
  readonly #usage: Usage;
  readonly #reasoningParts: number;
  /** Indexes of the generations that have called a tool: their finish reason is not the turn's. */
  readonly #calling = new Set<number>();
  #heldBack = false;

  constructor(usageBefore: Usage, reasoningPartsBefore: number) {
    this.#usage = usageBefore;
    this.#reasoningParts = reasoningPartsBefore;
  }

  /** True when chunks that held nothing but tool calls were not shown, nor what they said about usage. */
  get heldBack(): boolean {
    return this.#heldBack;
  }

  /** Undefined when nothing is left to show. A chunk that needs no change is handed on as it is. */
  show(chunk: ChatResponse): ChatResponse | undefined {
    const results: Generation[] = [];
    let changed = false;
    for (const generation of chunk.results) {
      const shown = this.#showGeneration(generation);
      if (shown !== undefined) results.push(shown);
      changed ||= shown !== generation;
    }
    if (chunk.results.length > 0 && results.length === 0) {
      this.#heldBack = true;
      return undefined;
    }
    const { metadata } = chunk;
    const usage = addUsage(this.#usage, metadata.usage);
    // The sum is one of its parts when the other says nothing: before any round, and in a chunk without usage.
    const sameUsage = usage === metadata.usage || usage === this.#usage;
    if (!changed && sameUsage) return chunk;
    return { results, result: results[0], metadata: sameUsage ? metadata : { ...metadata, usage } };
  }

  #showGeneration(generation: Generation): Generation | undefined {
    const { index, output, toolCallDeltas = [] } = generation;
    const calls = output.toolCalls.length > 0 || toolCallDeltas.length > 0;
    if (calls) this.#calling.add(index);
    const calling = this.#calling.has(index);
    const shift = this.#reasoningParts > 0 && output.reasoning.length > 0;
    if (!calling && !shift) return generation;
    const metadata = calling ? withoutFinish(generation.metadata) : generation.metadata;
    const empty =
      output.text === '' &&
      output.media.length === 0 &&
      output.reasoning.length === 0 &&
      Object.keys(output.metadata).length === 0 &&
      Object.keys(metadata).length === 0;
    if (empty) return undefined;
    const reasoning = shift ? this.#shifted(output.reasoning) : output.reasoning;
    return { index, output: { ...output, toolCalls: [], reasoning }, metadata };
  }

  /** Parts of different rounds are different parts: joined, their signatures would be worthless. */
  #shifted(parts: readonly ReasoningPart[]): readonly ReasoningPart[] {
    return parts.map((part, position) => ({ ...part, index: (part.index ?? position) + this.#reasoningParts }));
  }
}

function withoutFinish({ finishReason: _, nativeFinishReason: __, ...rest }: GenerationMetadata): GenerationMetadata {
  return rest;
}

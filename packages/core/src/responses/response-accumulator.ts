import { setOwn } from '../json/own-property.js';
import type { ChatResponse, ChatResponseMetadata, Generation } from './chat-response.js';
import { GenerationAccumulator } from './generation-accumulator.js';
import { laterUsage, NO_USAGE, type Usage } from './usage.js';

/** Adds chunks up to the response they are pieces of. */
export class ResponseAccumulator {
  /** The first chunk while it is the only one and whole by itself: a response that came in one piece is handed on as it is. */
  #only: ChatResponse | undefined;
  #started = false;
  #generations: GenerationAccumulator[] = [];
  #metadata: Record<string, unknown> = {};
  #lastMetadata: ChatResponseMetadata | undefined;
  #usage: Usage = NO_USAGE;

  add(chunk: ChatResponse): void {
    if (!this.#started) {
      this.#started = true;
      if (isWhole(chunk)) {
        this.#only = chunk;
        return;
      }
    }
    if (this.#only !== undefined) {
      this.#append(this.#only);
      this.#only = undefined;
    }
    this.#append(chunk);
  }

  /** The response so far. */
  result(): ChatResponse {
    if (this.#only !== undefined) return this.#only;
    const results = this.#generations.toSorted((a, b) => a.index - b.index).map((generation) => generation.result());
    return { results, result: results[0], metadata: { ...this.#metadata, usage: this.#usage } };
  }

  #append({ results, metadata }: ChatResponse): void {
    for (let i = 0; i < results.length; i++) {
      const generation = results[i];
      if (generation !== undefined) this.#generation(generation.index).add(generation);
    }
    if (metadata === this.#lastMetadata) return;
    this.#lastMetadata = metadata;
    this.#usage = laterUsage(this.#usage, metadata.usage);
    mergeMetadata(this.#metadata, metadata);
  }

  #generation(index: number): GenerationAccumulator {
    const first = this.#generations[0];
    return first?.index === index ? first : this.#otherGeneration(index);
  }

  /** Apart, because the closure would be made for every chunk. */
  #otherGeneration(index: number): GenerationAccumulator {
    let found = this.#generations.find((generation) => generation.index === index);
    if (found === undefined) {
      found = new GenerationAccumulator(index);
      this.#generations.push(found);
    }
    return found;
  }
}

/** Later wins, but a chunk that leaves `id` or `model` blank does not take back what an earlier one said. */
function mergeMetadata(target: Record<string, unknown>, metadata: ChatResponseMetadata): void {
  for (const key in metadata) {
    const value = metadata[key];
    if (key === 'usage' || value === undefined || target[key] === value) continue;
    if (value === '' && (key === 'id' || key === 'model') && target[key] !== undefined) continue;
    setOwn(target, key, value);
  }
}

function isWhole(chunk: ChatResponse): boolean {
  return chunk.results.every(
    (generation, i) =>
      isWholeGeneration(generation) &&
      (i === 0 || chunk.results.findIndex((one) => one.index === generation.index) === i),
  );
}

function isWholeGeneration({ toolCallDeltas, output }: Generation): boolean {
  return toolCallDeltas === undefined && output.reasoning.every((part) => part.index === undefined);
}

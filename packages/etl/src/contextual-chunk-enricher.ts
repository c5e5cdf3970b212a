import type { CallContext, Document, Documents, DocumentTransformer } from '@vernal/core';
import { invalidArgument, PromptTemplate, withDocument } from '@vernal/core';
import { type ChunkInContext, chunksInContext } from './chunks-in-context.js';
import { concurrentMap } from './concurrent-map.js';
import { EnricherCalls, type EnricherOptions } from './enricher.js';

const CHUNK_CONTEXT = 'chunk_context';

// The document comes first, so that providers that keep beginnings of prompts read it once for all of its chunks.
const CONTEXT_TEMPLATE = `Here is a document:
{document}

Here is a part of it:
{chunk}

Say in one or two short sentences what this part is about and where in the document it stands, so that it can be found and understood by itself. Give nothing else. Context:`;

/** The model is required. */
export interface ContextualChunkEnricherOptions extends EnricherOptions {
  /** The most characters of the document that the model is shown, those around the chunk. Default 30,000. */
  readonly maxDocumentChars?: number | undefined;
}

/**
 * Adds `chunk_context` to chunks: what a model says about a chunk's place in its document, which is embedded with the chunk. A chunk that
 * says "the tenant pays it" is then found by what "it" is. Put it behind a splitter; the document is put together out of its chunks, one
 * document at a time. What is no chunk, or is all of its document, stays as it is. The template holds `{document}` and `{chunk}`.
 *
 * Source: Anthropic, "Introducing Contextual Retrieval", 2024. Spring AI has none.
 *
 * @throws VernalError `invalid_argument` for bad options, `template` for a missing placeholder; what the model throws
 * @example
 * ```ts
 * const pipeline = etl(reader).transform(new TokenTextSplitter()).transform(new ContextualChunkEnricher({ model, answers: new Map() }));
 * ```
 */
export class ContextualChunkEnricher implements DocumentTransformer {
  readonly #calls: EnricherCalls;
  readonly #most: number;

  constructor(options: ContextualChunkEnricherOptions) {
    const { promptTemplate = new PromptTemplate(CONTEXT_TEMPLATE), maxDocumentChars = 30_000 } = options;
    this.#calls = new EnricherCalls(options, promptTemplate, ['document', 'chunk']);
    if (!Number.isSafeInteger(maxDocumentChars) || maxDocumentChars < 1)
      throw invalidArgument('maxDocumentChars', 'must be a whole number, at least 1');
    this.#most = maxDocumentChars;
  }

  transform(documents: Documents, options?: CallContext): AsyncIterable<Document> {
    const enrich = async ({ chunk, parent }: ChunkInContext, signal: AbortSignal): Promise<Document> => {
      const text = chunk.text ?? '';
      if (parent === undefined || parent.text.length === text.length) return chunk;
      const shown = around(parent.text, parent.at, text.length, this.#most);
      const answer = await this.#calls.ask(chunk, { document: shown, chunk: text }, { ...options, signal });
      return answer === '' ? chunk : withDocument(chunk, { metadata: { [CHUNK_CONTEXT]: answer } });
    };
    return concurrentMap(chunksInContext(documents), this.#calls.concurrency, enrich, options?.signal);
  }
}

/** `most` characters with the chunk in their middle, never half of one. */
function around(text: string, at: number, length: number, most: number): string {
  if (text.length <= most) return text;
  const start = Math.max(0, Math.min(text.length - most, Math.floor(at + length / 2 - most / 2)));
  const from = isLowSurrogate(text, start) ? start + 1 : start;
  const to = isLowSurrogate(text, start + most) ? start + most - 1 : start + most;
  return text.slice(from, to);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

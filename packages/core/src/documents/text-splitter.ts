import { throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import { VernalError } from '../errors/vernal-error.js';
import { canonicalJson } from '../json/canonical-json.js';
import type { Metadata } from '../json/metadata.js';
import { uuidOf } from './content-uuid.js';
import type { Document } from './document.js';
import type { Documents, DocumentTransformer } from './document-pipeline.js';

/** Of a piece of a text; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a splitter notes about a chunk. It says where the text stood and nothing of what it says, so no model is shown it. */
const bookkeeping = ['parent_document_id', 'chunk_index', 'total_chunks', 'chunk_start', 'chunk_end'];

/**
 * The part that splitters share; a subclass says where to cut. Chunks get a copy of their parent's metadata and of its score, and
 * `parent_document_id`, `chunk_index` (from 0), `total_chunks`, `chunk_start` and `chunk_end`: the chunk is `text.slice(start, end)` of
 * its parent; the chunk's format keeps these out of what is embedded and shown to models. The id is made of parent id, offsets and text, so
 * that splitting the same document again gives the same ids. Media pass through as they are, empty text gives nothing. Documents come one
 * at a time, in order.
 * Source: `TextSplitter` of spring-ai-commons.
 *
 * @example
 * class ParagraphSplitter extends TextSplitter {
 *   protected splitText(text: string) {
 *     return Array.from(text.matchAll(/(?:[^\n]|\n(?!\n))+/g), (match) => ({ start: match.index, end: match.index + match[0].length }));
 *   }
 * }
 */
export abstract class TextSplitter implements DocumentTransformer {
  readonly #copyContentFormatter: boolean;

  constructor(options?: { /** Default true. */ readonly copyContentFormatter?: boolean | undefined }) {
    this.#copyContentFormatter = options?.copyContentFormatter ?? true;
  }

  /** Offsets into `text`, rising; end is exclusive. Not called for empty text. */
  protected abstract splitText(
    text: string,
    context?: CallContext,
  ):
    | readonly { readonly start: number; readonly end: number }[]
    | Promise<readonly { readonly start: number; readonly end: number }[]>;

  /** Metadata of a chunk beside those that every chunk has, such as the heading that it stands under. Called after `splitText` of its text. */
  protected chunkMetadata?(
    text: string,
    chunk: { readonly start: number; readonly end: number },
    parent: Metadata,
  ): Metadata;

  /** Called before the first text of each `transform` is split: the place to load what `splitText` needs, such as a tokenizer. */
  protected prepare(_context?: CallContext): Promise<void> | void {}

  /** Throws `invalid_state` when the subclass gives offsets that are not rising or not inside the text. */
  async *transform(documents: Documents, options?: CallContext): AsyncIterable<Document> {
    let isPrepared = false;
    for await (const parent of documents) {
      throwIfAborted(options?.signal);
      if (parent.text === undefined) {
        yield parent;
        continue;
      }
      if (parent.text === '') continue;
      if (!isPrepared) {
        await this.prepare(options);
        isPrepared = true;
      }
      const spans = await this.splitText(parent.text, options);
      checkSpans(spans, parent.text);
      yield* await Promise.all(spans.map((span, index) => this.#chunk(parent, span, index, spans.length)));
    }
  }

  async #chunk(parent: Document, { start, end }: Span, index: number, total: number): Promise<Document> {
    const text = parent.text?.slice(start, end) ?? '';
    const format = this.#copyContentFormatter ? parent.format : undefined;
    return {
      id: await uuidOf(canonicalJson([parent.id, start, end, text])),
      text,
      metadata: {
        ...parent.metadata,
        ...this.chunkMetadata?.(parent.text ?? '', { start, end }, parent.metadata),
        parent_document_id: parent.id,
        chunk_index: index,
        total_chunks: total,
        chunk_start: start,
        chunk_end: end,
      },
      ...(parent.score === undefined ? undefined : { score: parent.score }),
      format: {
        ...format,
        excludedEmbedMetadataKeys: withBookkeeping(format?.excludedEmbedMetadataKeys),
        excludedInferenceMetadataKeys: withBookkeeping(format?.excludedInferenceMetadataKeys),
      },
    };
  }
}

function withBookkeeping(keys: readonly string[] | undefined): readonly string[] {
  return keys === undefined ? bookkeeping : [...new Set([...keys, ...bookkeeping])];
}

/** Chunks may overlap; each begins behind the one before. */
function checkSpans(spans: readonly Span[], text: string): void {
  let last = -1;
  for (const { start, end } of spans) {
    if (!(Number.isInteger(start) && Number.isInteger(end) && start > last && start < end && end <= text.length)) {
      throw new VernalError('splitText gave offsets that are not rising or not inside the text; correct the splitter', {
        code: 'invalid_state',
        subject: 'splitText',
      });
    }
    last = start;
  }
}

import { invalidArgument } from '../errors/invalid-argument.js';
import { canonicalJson } from '../json/canonical-json.js';
import { type Metadata, type MetadataInput, metadataFromInput } from '../json/metadata.js';
import type { Media } from '../media/media.js';
import type { ContentFormat } from './content-format.js';
import { uuidOf } from './content-uuid.js';

/**
 * A piece of content with what is known about it. Exactly one of `text` and `media`. Plain data: it may be copied by spreading, but
 * `document` and `withDocument` check what they make. Source: `Document` of spring-ai-commons.
 */
export interface Document {
  readonly id: string;
  readonly text?: string;
  readonly media?: Media;
  readonly metadata: Metadata;
  /** Set by searches; see the score rule of vector stores. Higher is closer. */
  readonly score?: number;
  readonly format?: ContentFormat;
}

/** A document before it has an id. Exactly one of `text` and `media` is given. */
export interface DocumentInput {
  /** Default a random UUID; blank is `invalid_argument`. */
  readonly id?: string | undefined;
  /** '' is text, too. */
  readonly text?: string | undefined;
  readonly media?: Media | undefined;
  /** `Date` becomes ISO text; what is not JSON is `invalid_argument`. */
  readonly metadata?: MetadataInput | undefined;
  readonly score?: number | undefined;
  readonly format?: ContentFormat | undefined;
}

/**
 * Text is short for `{ text }`. `metadata` is added to that of the input and wins. Throws `invalid_argument` unless there is exactly one
 * of text and media.
 *
 * @example
 * document('Body', { source: 'a.md', readAt: new Date() });
 * document({ id: '7', media: media('image/png', bytes) });
 */
export function document(content: string | DocumentInput, metadata?: MetadataInput): Document {
  const input: DocumentInput = typeof content === 'string' ? { text: content } : content;
  return checked({
    ...input,
    id: input.id ?? globalThis.crypto.randomUUID(),
    metadata: joined(metadataFromInput(input.metadata), metadata),
  });
}

/**
 * A copy with some fields changed; `metadata` is merged, not replaced, and what is undefined stays. Text takes the place of media and
 * media that of text. Throws `invalid_argument` as `document` does.
 */
export function withDocument(document: Document, change: DocumentInput): Document {
  const { text, media } = change;
  const content =
    text === undefined && media === undefined ? { text: document.text, media: document.media } : { text, media };
  return checked({
    id: change.id ?? document.id,
    ...content,
    metadata: joined(document.metadata, change.metadata),
    score: change.score ?? document.score,
    format: change.format ?? document.format,
  });
}

/**
 * UUID (version 8) from SHA-256 over canonical JSON of text and metadata: the same on every machine, whatever the order of the keys.
 * Throws `invalid_argument` for metadata that is not JSON. Source: `JdkSha256HexIdGenerator` of spring-ai-commons.
 *
 * @example
 * document({ id: await contentId(text, { source }), text, metadata: { source } });
 */
export async function contentId(text: string, metadata?: MetadataInput): Promise<string> {
  return uuidOf(canonicalJson({ metadata: metadata ?? {}, text }));
}

function joined(base: Metadata, over: MetadataInput | undefined): Metadata {
  return over === undefined ? base : { ...base, ...metadataFromInput(over) };
}

function checked(input: DocumentInput & { readonly id: string; readonly metadata: Metadata }): Document {
  const { id, text, media, metadata, score, format } = input;
  if (typeof id !== 'string' || id.trim() === '')
    throw invalidArgument('id', 'must be text that is not blank, or left out');
  if ((text === undefined) === (media === undefined)) {
    throw invalidArgument('document', 'needs exactly one of text and media; give the other as a document of its own');
  }
  if (text !== undefined && typeof text !== 'string') throw invalidArgument('text', 'must be text');
  if (score !== undefined && !Number.isFinite(score))
    throw invalidArgument('score', 'must be a finite number, or left out');
  return {
    id,
    ...(text === undefined ? undefined : { text }),
    ...(media === undefined ? undefined : { media }),
    metadata,
    ...(score === undefined ? undefined : { score }),
    ...(format === undefined ? undefined : { format }),
  };
}

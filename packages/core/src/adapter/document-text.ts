import {
  type CallContext,
  type Documents,
  formatDocument,
  type MetadataMode,
  type Resource,
  throwIfAborted,
  VernalError,
  type WritableResource,
} from '@vernal/core';

/** How documents are written as text. Source: `FileDocumentWriter` of spring-ai-commons. */
export interface DocumentTextOptions {
  /** A line `### Doc: 0, pages:[1,2]` before each document, from its `page_number` and `end_page_number`. Default false. */
  readonly markers?: boolean | undefined;
  /** What of a document is written. Default 'none': the text alone. */
  readonly metadataMode?: MetadataMode | undefined;
  /** Keeps what the target holds and writes behind it. Default false: it is replaced. */
  readonly append?: boolean | undefined;
}

/**
 * Writes documents to one target as UTF-8 text, an empty line between them. They are streamed; the target changes only when all of them
 * arrived, as far as its `write` lands whole or not at all.
 *
 * @throws VernalError what the target throws; `aborted` or `timeout` by the signal
 */
export async function writeDocumentText(
  target: WritableResource,
  documents: Documents,
  options: DocumentTextOptions = {},
  context?: CallContext,
): Promise<void> {
  throwIfAborted(context?.signal);
  await target.write(content(target, documents, options, context), context);
}

async function* content(
  target: Resource,
  documents: Documents,
  { markers = false, metadataMode = 'none', append = false }: DocumentTextOptions,
  context: CallContext | undefined,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let isEmpty = true;
  if (append) {
    for await (const piece of present(target, context)) {
      yield piece;
      isEmpty &&= piece.length === 0;
    }
  }
  let index = 0;
  for await (const document of documents) {
    throwIfAborted(context?.signal);
    const { page_number: first = null, end_page_number: last = null } = document.metadata;
    const marker = markers ? `### Doc: ${index++}, pages:[${first},${last}]\n` : '';
    yield encoder.encode(`${isEmpty ? '' : '\n'}${marker}${formatDocument(document, metadataMode)}\n`);
    isEmpty = false;
  }
}

/** A target that is not there yet holds nothing. */
async function* present(target: Resource, context: CallContext | undefined): AsyncGenerator<Uint8Array> {
  try {
    if (target.stream === undefined) yield await target.bytes(context);
    else yield* target.stream(context);
  } catch (error) {
    if (!(VernalError.is(error) && error.details['reason'] === 'not_found')) throw error;
  }
}

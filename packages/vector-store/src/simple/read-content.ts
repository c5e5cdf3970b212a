import type { CallContext, Document, Resource } from '@vernal/core';
import { joinBytes, throwIfAborted } from '@vernal/core';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import { ByteSource } from './byte-source.js';
import type { ContentExpectation } from './content-checks.js';
import { checkDimensions, checkModel, putChecked } from './content-checks.js';
import type { ContentHeader } from './content-format.js';
import { FORMAT_VERSION, MAGIC, toLittleEndian } from './content-format.js';
import { Crc32 } from './crc32.js';
import { readDocument, readHeader } from './read-parts.js';
import { readSpringJson } from './spring-json.js';
import { StoreContent } from './store-content.js';
import { DAMAGED, storeRead } from './store-read-error.js';

export interface ReadContent {
  readonly content: StoreContent;
  /** Of the model that the vectors were made with. */
  readonly provider?: string | undefined;
}

const HEAD_BYTES = MAGIC.length + 8;
const LARGEST_HEADER = 1 << 20;
const ROWS_AT_A_TIME = 1 << 18;

class ContentReader {
  readonly #source: ByteSource;
  readonly #crc = new Crc32();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.#source.take(length);
    if (bytes.length < length) throw storeRead('it ends too early', DAMAGED);
    this.#crc.update(bytes);
    return bytes;
  }

  count(bytes: Uint8Array): void {
    this.#crc.update(bytes);
  }

  async u32(): Promise<number> {
    const bytes = await this.take(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  async finish(): Promise<void> {
    const expected = this.#crc.value;
    if ((await this.u32()) !== expected) throw storeRead('its checksum is wrong, so it was damaged or cut', DAMAGED);
    if ((await this.#source.take(1)).length > 0) throw storeRead('something follows its end', DAMAGED);
  }
}

function checkHeader(header: ContentHeader, expected: ContentExpectation): void {
  if (header.metric === 'cosine' && expected.metric !== 'cosine') {
    throw storeRead(
      `it was written with metric 'cosine', which keeps directions only, and this store has '${expected.metric}'`,
      "Make the store with metric 'cosine', or ingest the documents again",
    );
  }
  if (header.count === 0) return;
  checkModel(header, expected);
  checkDimensions(header.dimensions, expected, header);
}

async function readRows(
  reader: ContentReader,
  documents: readonly Document[],
  header: ContentHeader,
  metric: VectorMetric,
  signal: AbortSignal | undefined,
): Promise<StoreContent> {
  const content = new StoreContent();
  const bytes = header.dimensions * 4;
  const step = Math.max(1, Math.floor(ROWS_AT_A_TIME / bytes));
  for (let first = 0; first < documents.length; first += step) {
    throwIfAborted(signal);
    const part = documents.slice(first, first + step);
    // A copy: the chunk may start anywhere, floats may not, and on big-endian machines it is changed in place.
    const floats = new Float32Array(toLittleEndian((await reader.take(part.length * bytes)).slice()).buffer);
    const vectors = part.map((_document, i) => floats.subarray(i * header.dimensions, (i + 1) * header.dimensions));
    putChecked(content, part, vectors, metric);
  }
  return content;
}

async function readBinary(
  head: Uint8Array,
  source: ByteSource,
  expected: ContentExpectation,
  signal: AbortSignal | undefined,
): Promise<ReadContent> {
  const reader = new ContentReader(source);
  reader.count(head);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const version = view.getUint32(MAGIC.length, true);
  if (version !== FORMAT_VERSION) {
    throw storeRead(
      `it has format version ${version} and this release reads ${FORMAT_VERSION}`,
      'Update @vernal/vector-store',
    );
  }
  const length = view.getUint32(MAGIC.length + 4, true);
  if (length > LARGEST_HEADER) throw storeRead('its header is damaged', DAMAGED);
  const header = readHeader(await reader.take(length));
  checkHeader(header, expected);
  const documents: Document[] = [];
  const ids = new Set<string>();
  while (documents.length < header.count) {
    if (documents.length % 1_000 === 0) throwIfAborted(signal);
    const document = readDocument(await reader.take(await reader.u32()), documents.length + 1);
    if (ids.has(document.id)) throw storeRead(`document ${documents.length + 1} has the id of an earlier one`, DAMAGED);
    ids.add(document.id);
    documents.push(document);
  }
  const content = await readRows(reader, documents, header, expected.metric, signal);
  await reader.finish();
  return { content, provider: header.provider };
}

/** Reads and checks everything before anything of the store is replaced. */
export async function readContent(
  resource: Resource,
  expected: ContentExpectation,
  context: CallContext | undefined,
): Promise<ReadContent> {
  throwIfAborted(context?.signal);
  const source = new ByteSource(resource, context);
  try {
    const head = await source.take(HEAD_BYTES);
    if (head.length === HEAD_BYTES && new TextDecoder('latin1').decode(head.subarray(0, MAGIC.length)) === MAGIC) {
      return await readBinary(head, source, expected, context?.signal);
    }
    return { content: readSpringJson(joinBytes([head, await source.rest()]), expected) };
  } finally {
    await source.close();
  }
}

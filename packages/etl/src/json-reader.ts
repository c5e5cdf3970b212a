import type {
  CallContext,
  Document,
  DocumentReader,
  JsonObject,
  JsonValue,
  MetadataInput,
  Resource,
} from '@vernal/core';
import {
  contentId,
  decodeText,
  document,
  invalidArgument,
  resourceName,
  streamText,
  throwIfAborted,
  VernalError,
} from '@vernal/core';
import { readBytes, readerLimits, requireOptionNames, requireResource, sourceMetadata } from '@vernal/core/adapter';
import { jsonElements } from './json-elements.js';
import { JSON_LIMITS, type JsonLimits, type JsonPlace, tooDeepValue, tooLongValue } from './json-limits.js';
import { jsonLines } from './json-lines.js';
import { parseJsonPointer, valueAt } from './json-pointer.js';
import { isJsonObject, jsonText, parseJson } from './json-text.js';

/** Where the documents are in the JSON, and what of them is text. All may be left out. */
export interface JsonReaderOptions {
  /** Properties that make the text, each as a line `key: value`, in this order; missing ones are skipped. Default the whole object as JSON. */
  readonly keys?: readonly string[] | undefined;
  /** RFC 6901: where the array or value of interest is. With `lines` it leads into each line. */
  readonly pointer?: string | undefined;
  /** A JSON value a line. Default true for .jsonl and .ndjson names and MIME types, else false. */
  readonly lines?: boolean | undefined;
  /** Metadata made of an object; wins over the reader's own. Not called for values that are no objects. */
  readonly metadata?: ((value: JsonObject) => MetadataInput) | undefined;
  /** Called for each line that is not JSON, which is then skipped. Without it such a line is the error. Only with `lines`. */
  readonly onBadLine?: ((error: VernalError) => void) | undefined;
  /** How much of a file is read before it is refused. */
  readonly limits?: JsonLimits | undefined;
}

/** A value that becomes a document, and where it stood. */
interface Found {
  readonly value: JsonValue;
  readonly place: JsonPlace & { readonly pointer?: string | undefined };
}

/**
 * A document for each element of a JSON array, for each line of JSON Lines, or for a single value. Objects become JSON text (or lines of
 * `keys`), strings themselves, other values JSON. Metadata: `source`, `file_name`, and `index` (from 0), `line` (from 1) or `pointer`.
 * `stream()` keeps one element or line in memory, as long as no pointer is given, and closes the resource at one that is too long. Ids are made of text and metadata.
 *
 * Source: Spring AI's `JsonReader`.
 *
 * @throws VernalError `invalid_argument` for a bad limit, and for a pointer that is none or leads nowhere; `resource` for what is not JSON,
 * with the line or element as subject and in `details`, and with `details.reason` 'too_large' or 'too_deep' and the place for what is over
 * a limit or nested too deep
 *
 * @example
 * const reader = new JsonReader(bytesResource('[{"name":"rose"},{"name":"tulip"}]'), { keys: ['name'] });
 * const texts = (await reader.read()).map((flower) => flower.text); // ['name: rose', 'name: tulip']
 */
export class JsonReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: JsonReaderOptions;
  readonly #path: readonly string[];
  readonly #limits: Required<{ readonly [K in keyof JsonLimits]: number }>;

  constructor(resource: Resource, options: JsonReaderOptions = {}) {
    requireResource(resource);
    requireOptionNames(options, ['keys', 'pointer', 'lines', 'metadata', 'onBadLine', 'limits']);
    const path = parseJsonPointer(options.pointer ?? '');
    if (path === undefined) {
      throw invalidArgument('pointer', "is no JSON Pointer; write '' or '/name/0', with ~1 for / and ~0 for ~");
    }
    this.#resource = resource;
    this.#options = options;
    this.#path = path;
    this.#limits = readerLimits<JsonLimits>(options.limits, JSON_LIMITS);
  }

  async read(options?: CallContext): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const found of this.stream(options)) documents.push(found);
    return documents;
  }

  async *stream(options?: CallContext): AsyncGenerator<Document> {
    throwIfAborted(options?.signal);
    const { lines = hasLines(this.#resource) } = this.#options;
    const isWhole = !lines && this.#path.length > 0;
    const found = isWhole ? this.#pointed(options) : lines ? this.#lines(options) : this.#elements(options);
    for await (const one of found) {
      throwIfAborted(options?.signal);
      yield await this.#document(one);
    }
  }

  async *#lines(context: CallContext | undefined): AsyncGenerator<Found> {
    const { onBadLine, pointer } = this.#options;
    const most = this.#limits.maxValueLength;
    const fault = (line: number): VernalError => tooLongValue(this.#name(), { line }, most);
    for await (const { text, number } of jsonLines(streamText(this.#resource, context), { most, fault })) {
      try {
        const value = this.#resolved(parseJson(text, `line ${number}`, { line: number }));
        yield { value, place: { line: number, pointer } };
      } catch (error) {
        if (onBadLine === undefined || !VernalError.is(error)) throw error;
        onBadLine(error);
      }
    }
  }

  async *#elements(context: CallContext | undefined): AsyncGenerator<Found> {
    const most = this.#limits.maxValueLength;
    const fault = (index: number | undefined): VernalError => tooLongValue(this.#name(), { index }, most);
    for await (const { text, index } of jsonElements(streamText(this.#resource, context), { most, fault })) {
      const value =
        index === undefined ? parseJson(text, this.#name(), {}) : parseJson(text, `element ${index}`, { index });
      yield { value, place: { index } };
    }
  }

  async *#pointed(context: CallContext | undefined): AsyncGenerator<Found> {
    const { pointer } = this.#options;
    const bytes = await readBytes(this.#resource, this.#limits.maxFileBytes, context);
    const { text } = decodeText(bytes, { source: this.#resource });
    const value = this.#resolved(parseJson(text, this.#name(), {}));
    if (!Array.isArray(value)) yield { value, place: { pointer } };
    else for (const [index, element] of value.entries()) yield { value: element, place: { pointer, index } };
  }

  #resolved(root: JsonValue): JsonValue {
    const value = valueAt(root, this.#path);
    if (value === undefined) {
      throw invalidArgument('pointer', 'leads nowhere in the JSON that was read; correct it, or leave it out');
    }
    return value;
  }

  async #document({ value, place }: Found): Promise<Document> {
    const { metadata: metadataOf } = this.#options;
    const text = this.#text(value, place);
    const metadata = {
      ...sourceMetadata(this.#resource),
      ...place,
      ...(isJsonObject(value) ? metadataOf?.(value) : undefined),
    };
    return document({ id: await contentId(text, metadata), text, metadata });
  }

  #text(value: JsonValue, place: JsonPlace): string {
    try {
      return jsonText(value, this.#options.keys);
    } catch (error) {
      // What is parsed step by step is written by a function that calls itself.
      throw error instanceof RangeError ? tooDeepValue(this.#name(), place) : error;
    }
  }

  #name(): string {
    return resourceName(this.#resource);
  }
}

function hasLines({ filename, uri, mimeType }: Resource): boolean {
  const path = filename ?? uri?.replace(/[?#].*$/, '') ?? '';
  return /\.(jsonl|ndjson)$/i.test(path) || /[/+-](jsonl|jsonlines|ndjson|json-seq)\b/i.test(mimeType ?? '');
}

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
  document,
  invalidArgument,
  requireResource,
  resourceName,
  sourceMetadata,
  streamText,
  throwIfAborted,
  VernalError,
} from '@vernal/core';
import { jsonElements } from './json-elements.js';
import { jsonLines } from './json-lines.js';
import { parseJsonPointer, valueAt } from './json-pointer.js';

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
}

/** A value that becomes a document, and where it stood. */
interface Found {
  readonly value: JsonValue;
  readonly place: MetadataInput;
}

/**
 * A document for each element of a JSON array, for each line of JSON Lines, or for a single value. Objects become JSON text (or lines of
 * `keys`), strings themselves, other values JSON. Metadata: `source`, `file_name`, and `index` (from 0), `line` (from 1) or `pointer`.
 * `stream()` keeps one element or line in memory, as long as no pointer is given. Ids are made of text and metadata.
 *
 * Source: Spring AI's `JsonReader`.
 *
 * @throws VernalError `invalid_argument` for a pointer that is none or leads nowhere; `resource` for what is not JSON, with the line or
 * element as subject and in `details`
 *
 * @example
 * const reader = new JsonReader(bytesResource('[{"name":"rose"},{"name":"tulip"}]'), { keys: ['name'] });
 * const texts = (await reader.read()).map((flower) => flower.text); // ['name: rose', 'name: tulip']
 */
export class JsonReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: JsonReaderOptions;
  readonly #path: readonly string[];

  constructor(resource: Resource, options: JsonReaderOptions = {}) {
    requireResource(resource);
    const path = parseJsonPointer(options.pointer ?? '');
    if (path === undefined) {
      throw invalidArgument('pointer', "is no JSON Pointer; write '' or '/name/0', with ~1 for / and ~0 for ~");
    }
    this.#resource = resource;
    this.#options = options;
    this.#path = path;
  }

  async read(options?: CallContext): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const found of this.stream(options)) documents.push(found);
    return documents;
  }

  async *stream(options?: CallContext): AsyncGenerator<Document> {
    throwIfAborted(options?.signal);
    const { lines = hasLines(this.#resource) } = this.#options;
    const chunks = streamText(this.#resource, options);
    for await (const found of lines ? this.#lines(chunks) : this.#elements(chunks)) {
      throwIfAborted(options?.signal);
      yield await this.#document(found);
    }
  }

  async *#lines(chunks: AsyncIterable<string>): AsyncGenerator<Found> {
    const { onBadLine, pointer } = this.#options;
    for await (const { text, number } of jsonLines(chunks)) {
      try {
        const value = this.#resolved(parse(text, `line ${number}`, { line: number }));
        yield { value, place: { line: number, pointer } };
      } catch (error) {
        if (onBadLine === undefined || !VernalError.is(error)) throw error;
        onBadLine(error);
      }
    }
  }

  async *#elements(chunks: AsyncIterable<string>): AsyncGenerator<Found> {
    const { pointer } = this.#options;
    if (this.#path.length === 0) {
      for await (const { text, index } of jsonElements(chunks)) {
        const value = index === undefined ? parse(text, this.#name(), {}) : parse(text, `element ${index}`, { index });
        yield { value, place: { index } };
      }
      return;
    }
    let all = '';
    for await (const chunk of chunks) all += chunk;
    const value = this.#resolved(parse(all, this.#name(), {}));
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
    const { keys, metadata: metadataOf } = this.#options;
    const text = textOf(value, keys);
    const metadata = {
      ...sourceMetadata(this.#resource),
      ...place,
      ...(isObject(value) ? metadataOf?.(value) : undefined),
    };
    return document({ id: await contentId(text, metadata), text, metadata });
  }

  #name(): string {
    return resourceName(this.#resource);
  }
}

function hasLines({ filename, uri, mimeType }: Resource): boolean {
  const path = filename ?? uri?.replace(/[?#].*$/, '') ?? '';
  return /\.(jsonl|ndjson)$/i.test(path) || /[/+-](jsonl|jsonlines|ndjson|json-seq)\b/i.test(mimeType ?? '');
}

function parse(text: string, subject: string, place: { readonly line?: number; readonly index?: number }): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The parser's own message quotes the text, so it is not kept as the cause.
    throw new VernalError(
      `${subject} is not valid JSON. Correct it${place.line === undefined ? '' : ', or pass onBadLine to skip such lines'}`,
      {
        code: 'resource',
        subject,
        details: { reason: 'invalid_json', ...place },
      },
    );
  }
}

function textOf(value: JsonValue, keys: readonly string[] | undefined): string {
  if (typeof value === 'string') return value;
  if (keys !== undefined && isObject(value)) {
    const lines = keys.flatMap((key) => {
      const property = Object.hasOwn(value, key) ? value[key] : undefined;
      if (property === undefined) return [];
      return [`${key}: ${typeof property === 'string' ? property : JSON.stringify(property)}`];
    });
    if (lines.length > 0) return lines.join('\n');
  }
  return JSON.stringify(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

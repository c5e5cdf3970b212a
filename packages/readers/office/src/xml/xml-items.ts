import { Parser } from 'htmlparser2';
import type { Reading } from '../reading/reading.js';
import { xmlDecoder } from './xml-decoder.js';
import { type Attributes, localName } from './xml-names.js';

/** Is told of what stands in a part, in order; names come without their prefix. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** May come in several pieces. */
  text?(data: string): void;
}

/** Of one element. */
const MOST_ATTRIBUTES = 10_000;

export interface XmlPart {
  /** For errors. */
  readonly name: string;
  readonly chunks: Iterable<Uint8Array>;
  /** A document type without declarations of its own is let through, as EPUB and OpenDocument may have one. Default false. */
  readonly allowsDoctype?: boolean;
}

/**
 * Reads a part piece by piece, and gives what the handler puts into `ready` as it comes. Nothing of the part is kept.
 *
 * @throws VernalError `resource`: 'unsafe_xml' for a document type or for elements too deep inside each other, 'damaged' for what is not well-formed
 */
export async function* xmlItems<T>(
  reading: Reading,
  part: XmlPart,
  handler: XmlHandler,
  ready: T[],
): AsyncGenerator<T> {
  for (const bytes of xmlSteps(reading, part, handler)) {
    if (ready.length > 0) yield* ready.splice(0);
    await reading.turn(bytes);
  }
  yield* ready.splice(0);
}

/** The same for a part that is read to its end before anything is made of it. */
export async function readXml(reading: Reading, part: XmlPart, handler: XmlHandler): Promise<void> {
  for (const bytes of xmlSteps(reading, part, handler)) await reading.turn(bytes);
}

function* xmlSteps(
  reading: Reading,
  { name: part, chunks, allowsDoctype = false }: XmlPart,
  handler: XmlHandler,
): Generator<number> {
  let depth = 0;
  let elements = 0;
  let openedAt = -1;
  let attributeCount = 0;
  const unsafe = (fault: string) => reading.fault('unsafe_xml', fault, { part });
  const malformed = (fault: string) =>
    reading.fault('damaged', `is not well-formed XML: ${fault}; get the file again, or save it anew`, {
      part,
      offset: parser.endIndex,
    });
  const parser: Parser = new Parser(
    {
      onattribute() {
        if (++attributeCount > MOST_ATTRIBUTES) throw malformed('an element has too many attributes');
      },
      onopentag(name, attributes) {
        elements++;
        attributeCount = 0;
        openedAt = parser.endIndex;
        if (++depth > reading.limits.maxDepth)
          throw reading.tooLarge('maxDepth', 'has elements too deep inside each other', part);
        if (depth === 1 && elements > 1) throw malformed('something stands behind its end');
        handler.open(localName(name), attributes);
      },
      onclosetag(name, isImplied) {
        depth--;
        // An element without content is closed by the same mark that opened it.
        if (isImplied && parser.endIndex !== openedAt) throw malformed(`${name} is not closed`);
        handler.close(localName(name));
      },
      ontext(data) {
        handler.text?.(data);
      },
      onprocessinginstruction(name, data) {
        if (!/^!doctype$/i.test(name)) return;
        if (!allowsDoctype || data.includes('['))
          throw unsafe('declares a document type, which may hide anything; such files are refused');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for (const chunk of chunks) {
    decoder ??= xmlDecoder(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
    yield chunk.length;
  }
  parser.write(decoder?.decode() ?? '');
  if (elements === 0) throw malformed('it is empty');
  if (depth > 0) throw malformed('it is cut off');
  parser.end();
}

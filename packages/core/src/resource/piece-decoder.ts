import { VernalError } from '../errors/vernal-error.js';
import type { DecodeTextOptions } from './decode-text.js';
import { joinBytes } from './join-bytes.js';
import { resourceName } from './resource-name.js';
import { charsetOf, encodingOfMark, LONGEST_MARK, unknownEncoding } from './text-encoding.js';

type PlatformDecoder = InstanceType<typeof TextDecoder>;

const NOTHING = new Uint8Array(0);
const LINE_FEED = 0x0a;
/** Encodings whose faults some platforms (ICU, in Node 20) throw at when a cut goes through them, also where they are to be replaced. */
const BY_LINE: ReadonlySet<string> = new Set(['gb18030', 'euc-jp']);

/** Bytes that come in pieces, as text; what `decodeText` says of the whole holds for the pieces together. */
export class PieceDecoder {
  readonly #options: DecodeTextOptions;
  #decoder: PlatformDecoder | undefined;
  /** Too short to tell whether a byte order mark begins here. */
  #head: Uint8Array = NOTHING;
  /** Of the line that is not over yet, where lines are decoded as a whole. */
  #line: Uint8Array[] = [];

  constructor(options: DecodeTextOptions) {
    this.#options = options;
  }

  push(bytes: Uint8Array): string {
    const piece = joinBytes([this.#head, bytes]);
    if (this.#decoder === undefined && piece.length < LONGEST_MARK) {
      this.#head = piece;
      return '';
    }
    this.#head = NOTHING;
    this.#decoder ??= this.#open(piece);
    return this.#isByLine(this.#decoder) ? this.#lines(this.#decoder, piece) : this.#decode(this.#decoder, piece, true);
  }

  /** What is left, and the encoding that was used, by its WHATWG name. */
  end(): { readonly text: string; readonly encoding: string } {
    const decoder = this.#decoder ?? this.#open(this.#head);
    if (this.#isByLine(decoder)) {
      const last = joinBytes([...this.#line, this.#head]);
      return { text: this.#decode(decoder, last, false), encoding: decoder.encoding };
    }
    // The last bytes are a piece, too: asked for a whole, Node 20 decodes windows-1252 as Latin-1, wrong from 0x80 to 0x9f.
    const text = this.#decode(decoder, this.#head, true) + this.#decode(decoder, NOTHING, false);
    return { text, encoding: decoder.encoding };
  }

  #isByLine({ encoding, fatal }: PlatformDecoder): boolean {
    return !fatal && BY_LINE.has(encoding);
  }

  /** No character of these encodings holds a line feed, so what ends with one can be decoded as a whole. */
  #lines(decoder: PlatformDecoder, piece: Uint8Array): string {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    const rest = piece.slice(end);
    if (end === 0) {
      this.#line.push(rest);
      return '';
    }
    const lines = joinBytes([...this.#line, piece.subarray(0, end)]);
    this.#line = [rest];
    return this.#decode(decoder, lines, false);
  }

  /** Asks the resource now and not earlier: that of a URL knows its MIME type once its bytes come. */
  #open(head: Uint8Array): PlatformDecoder {
    const { encoding, fatal = true, source } = this.#options;
    const label = encodingOfMark(head) ?? encoding ?? charsetOf(source?.mimeType) ?? 'utf-8';
    try {
      const decoder = new TextDecoder(label, { fatal });
      // Each line would lose a mark at its beginning.
      return this.#isByLine(decoder) ? new TextDecoder(label, { fatal, ignoreBOM: true }) : decoder;
    } catch (cause) {
      throw unknownEncoding(cause);
    }
  }

  #decode(decoder: PlatformDecoder, bytes: Uint8Array, stream: boolean): string {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream });
    } catch {
      throw this.#unreadable('undecodable', `is not ${decoder.encoding} text: give its encoding`);
    }
    if (text.includes('\0')) {
      throw this.#unreadable('binary', 'is binary, it holds NUL: give its encoding if that is UTF-16');
    }
    return text;
  }

  #unreadable(reason: string, fault: string): VernalError {
    const name = resourceName(this.#options.source);
    return new VernalError(`${name} ${fault}, or use a reader for its format`, {
      code: 'resource',
      subject: name,
      details: { reason },
    });
  }
}

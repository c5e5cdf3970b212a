import { bytePairMerger } from './byte-pair-merge.js';
import { type PieceRules, pieceScanner } from './piece-scanner.js';
import { type SequenceTable, sequenceTable } from './sequence-table.js';
import { isSurrogatePair, utf8Length, writeUtf8 } from './utf8.js';

/** What counting and splitting need of an encoding. Special tokens do not exist here: their names are ordinary text. */
export interface TokenEncoding {
  /** Tokens of a whole text. */
  count(text: string): number;
  /** The end of the piece at `start`; tokens never reach over it. */
  pieceEnd(text: string, start: number): number;
  /** Tokens of the piece `text[start..end)`. */
  pieceTokens(text: string, start: number, end: number): number;
  /** For each token of the piece, where it ends in `text`, or -1 when it ends inside a character. */
  pieceTokenEnds(text: string, start: number, end: number): number[];
}

/** Most words of a text repeat: this many are kept with their token counts. When it is full, it starts again. */
const CACHED_PIECES = 65_536;
const LONGEST_CACHED_PIECE = 64;

/** `ranks` maps the bytes of a token to its rank. */
export function tokenEncoding(rules: PieceRules, ranks: SequenceTable): TokenEncoding {
  const { pieceEnd } = pieceScanner(rules);
  const merger = bytePairMerger(ranks);
  const cache = sequenceTable(CACHED_PIECES, CACHED_PIECES * 16);
  const units = new Uint16Array(LONGEST_CACHED_PIECE);
  const smallBytes = new Uint16Array(LONGEST_CACHED_PIECE * 3);

  function bytesOf(text: string, start: number, end: number): { bytes: Uint16Array; length: number } {
    const bytes = end - start <= LONGEST_CACHED_PIECE ? smallBytes : new Uint16Array((end - start) * 3);
    return { bytes, length: writeUtf8(text, start, end, bytes) };
  }

  function pieceTokens(text: string, start: number, end: number): number {
    const size = end - start;
    if (size > LONGEST_CACHED_PIECE) {
      const { bytes, length } = bytesOf(text, start, end);
      return merger.count(bytes, length);
    }
    for (let at = 0; at < size; at++) units[at] = text.charCodeAt(start + at);
    const known = cache.get(units, 0, size);
    if (known !== -1) return known;
    const tokens = merger.count(smallBytes, writeUtf8(text, start, end, smallBytes));
    if (!cache.add(units, 0, size, tokens)) {
      cache.clear();
      cache.add(units, 0, size, tokens);
    }
    return tokens;
  }

  return {
    pieceEnd,
    pieceTokens,
    count(text) {
      let tokens = 0;
      for (let start = 0; start < text.length; ) {
        const end = pieceEnd(text, start);
        tokens += pieceTokens(text, start, end);
        start = end;
      }
      return tokens;
    },
    pieceTokenEnds(text, start, end) {
      const { bytes, length } = bytesOf(text, start, end);
      let at = start;
      let byte = 0;
      return merger.ends(bytes, length).map((byteEnd) => {
        while (byte < byteEnd) {
          byte += utf8Length(text, at);
          at += isSurrogatePair(text, at) ? 2 : 1;
        }
        return byte === byteEnd ? at : -1;
      });
    },
  };
}

import type { TokenEncoding } from '../encoding/token-encoding.js';
import { isSurrogatePair } from '../encoding/utf8.js';
import type { TokenRuler } from './token-ruler.js';

/** Longer pieces (base64, minified code, a Chinese page without marks) are measured in parts, at most this many UTF-16 units long. */
const LONGEST_PART = 1024;
const SHORTEST_PART = 16;
/** So near to its end, the rest of a piece may be a piece of its own or not: it is looked up anew. */
const PIECE_TAIL = 16;
/** Parts left behind are dropped in lots. */
const STALE_PARTS = 4096;

/**
 * Encodes each piece once. The parts from the current start on are kept; a new start in their midst only measures the part it cuts.
 * Tokens never reach over pieces, and a run of whole tokens encodes to just these tokens, so sums over pieces are exact.
 */
export function encodingRuler(text: string, encoding: TokenEncoding, chunkSize: number): TokenRuler {
  // A part that is cut is measured again, so that it must not be much longer than a chunk.
  const longestPart = Math.min(LONGEST_PART, Math.max(SHORTEST_PART, chunkSize * 4));
  // A part is a piece, or a stretch of a long one. Two parallel lists: where parts end, and the tokens up to there.
  const ends: number[] = [];
  const sums: number[] = [];
  /** By the end of a part that does not end its piece: where the piece ends. Mostly empty. */
  const longPieces = new Map<number, number>();
  let head = 0;
  let start = 0;
  /** `sums[at] - startSum` are the tokens from `start` to the end of part `at`. */
  let startSum = 0;

  const partStart = (at: number): number => (at === head ? start : (ends[at - 1] ?? start));
  const partEnd = (at: number): number => ends[at] ?? text.length;
  const sumBefore = (at: number): number => (at === head ? startSum : (sums[at - 1] ?? startSum));
  const pieceEndOf = (at: number): number => longPieces.get(partEnd(at)) ?? partEnd(at);

  function append(): void {
    const at = ends.length;
    const from = partStart(at);
    const pieceEnd = (at > head ? longPieces.get(from) : undefined) ?? encoding.pieceEnd(text, from);
    let end = pieceEnd;
    if (pieceEnd - from > longestPart) {
      end = from + longestPart;
      if (isSurrogatePair(text, end - 1)) end--;
      longPieces.set(end, pieceEnd);
    }
    sums.push(sumBefore(at) + encoding.pieceTokens(text, from, end));
    ends.push(end);
  }

  /** The first part from `head` on whose value in `list` is not below `value`. */
  function find(list: readonly number[], value: number): number {
    let low = head;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function moveTo(to: number): void {
    const at = find(ends, to + 1);
    const cutsPart = at < ends.length && to > partStart(at);
    startSum = sumBefore(at);
    head = at;
    start = to;
    if (cutsPart) {
      if (pieceEndOf(at) - to > PIECE_TAIL) startSum = (sums[at] ?? 0) - encoding.pieceTokens(text, to, partEnd(at));
      else readAnew();
    }
    if (head > STALE_PARTS) {
      ends.splice(0, head);
      sums.splice(0, head);
      head = 0;
      for (const end of longPieces.keys()) if (end <= start) longPieces.delete(end);
    }
  }

  /** Reads pieces from `start` until one ends where a known one does; the known ones go on from there. */
  function readAnew(): void {
    const knownEnds = ends.splice(head);
    const knownSums = sums.splice(head);
    let at = 0;
    do {
      append();
      while ((knownEnds[at] ?? text.length) < partEnd(ends.length - 1)) at++;
    } while (at < knownEnds.length && !(knownEnds[at] === ends.at(-1) && !longPieces.has(knownEnds[at] ?? 0)));
    const shift = (sums.at(-1) ?? 0) - (knownSums[at] ?? 0);
    for (at++; at < knownEnds.length; at++) {
      ends.push(knownEnds[at] ?? 0);
      sums.push((knownSums[at] ?? 0) + shift);
    }
  }

  /** The end of the last of `room` tokens of a part, or `from` when that is inside its first character. */
  function cutPart(from: number, end: number, room: number): number {
    const tokenEnds = encoding.pieceTokenEnds(text, from, end);
    for (let at = Math.min(room, tokenEnds.length) - 1; at >= 0; at--) {
      const tokenEnd = tokenEnds[at] ?? -1;
      if (tokenEnd !== -1) return tokenEnd;
    }
    return from;
  }

  return {
    fit(from, budget) {
      moveTo(from);
      const most = startSum + budget;
      while ((sums.at(-1) ?? 0) <= most || ends.length === head) {
        if (partStart(ends.length) === text.length) return text.length;
        append();
      }
      const at = find(sums, most + 1);
      const begin = partStart(at);
      // A piece that fits into a chunk of its own is left whole for the next one.
      if (at > head && pieceEndOf(at) - begin <= longestPart) return begin;
      const cut = cutPart(begin, partEnd(at), most - sumBefore(at));
      return cut > from ? cut : from + (isSurrogatePair(text, from) ? 2 : 1);
    },
    count(from, end) {
      let at = find(ends, end + 1);
      if (longPieces.size > 0) {
        // Parts of one piece have no exact sum: it is counted from its own start.
        const split = ends.findIndex((partEnd, index) => index >= head && index < at && longPieces.has(partEnd));
        if (split !== -1) at = split;
      }
      const begin = at === head ? from : partStart(at);
      const sum = sumBefore(at) - startSum;
      return begin < end ? sum + encoding.count(text.slice(begin, end)) : sum;
    },
    back(end, budget) {
      let at = find(ends, end);
      const tokenEnds = encoding.pieceTokenEnds(text, partStart(at), end);
      if (tokenEnds.length > budget) {
        for (let token = tokenEnds.length - budget - 1; token < tokenEnds.length; token++) {
          const tokenEnd = tokenEnds[token] ?? -1;
          if (tokenEnd !== -1) return tokenEnd;
        }
        return end;
      }
      const least = tokenEnds.length - budget;
      const until = sumBefore(at);
      while (at > head && until - sumBefore(at - 1) <= -least) at--;
      return partStart(at);
    },
  };
}

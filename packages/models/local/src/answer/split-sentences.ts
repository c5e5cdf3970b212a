import { textSegments } from '@vernal/core/adapter';

/** A piece of a text by its place: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a sentence does not end with, though a dot and a capital letter follow. */
const OPEN_END =
  /(?:^|[\s("'“‘])(?:e\.g|i\.e|cf|vs|etc|approx|incl|excl|resp|dept|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|Fig|Vol|Inc|Ltd|Jr|Sr|\p{Lu})\.$/u;

/** Unicode does not see that code, emphasis or a name in small letters begins a sentence. */
const UNSEEN_START = /(?=[`*_-])(?<=[.!?]["'”’)\]]*\s+)|(?=\p{Ll})(?<=\p{L}{4,}[.!?]["'”’)\]]*\s+)/u;

/** The sentences of a paragraph, without the white space around them. Line ends inside a paragraph end no sentence. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let end = 0;
  const close = (): void => {
    const sentence = text.slice(start, end);
    const from = start + (sentence.length - sentence.trimStart().length);
    const to = start + sentence.trimEnd().length;
    if (to > from) spans.push({ start: from, end: to });
    start = end;
  };
  // Same length, so that the places fit the text.
  const line = text.replace(/[\r\n\u2028\u2029]/g, ' ');
  // The rules of Unicode also know the full stops of scripts without capital letters.
  for (const segment of textSegments(line, 'sentence')) {
    for (const piece of line.slice(segment.start, segment.end).split(UNSEEN_START)) {
      end += piece.length;
      if (!OPEN_END.test(piece.trimEnd())) close();
    }
  }
  close();
  return spans;
}

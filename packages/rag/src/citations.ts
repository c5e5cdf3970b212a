import type { ChatClientResponse } from '@vernal/client-chat';
import type { ChatResponse, Document } from '@vernal/core';
import { contextValue, invalidArgument, responseText } from '@vernal/core';
import type { CitationMark } from './citation-marks.js';
import { citationMarks } from './citation-marks.js';
import { RAG_DOCUMENT_CONTEXT } from './rag-context-keys.js';
import { documentsWithText } from './render-documents.js';

/** A place in `CitedAnswer.text`: UTF-16 offsets, as `text.slice(start, end)` takes them. */
export interface CitationSpan {
  /** Of the opening bracket. */
  readonly start: number;
  /** Behind the closing bracket. */
  readonly end: number;
}

/** A document that an answer names. */
export interface Citation {
  /** Its number in the answer, from 1. */
  readonly index: number;
  readonly document: Document;
  /** The marks that name it, in order. A mark that names several documents, as [1, 2], is in the spans of each. */
  readonly spans: readonly CitationSpan[];
}

/** An answer, and what it rests on. */
export interface CitedAnswer {
  /** The answer without the marks that point nowhere. */
  readonly text: string;
  /** Each document that is named, in the order of first mention. */
  readonly citations: readonly Citation[];
  /** Numbers that no document has, in the order of first mention. They are not in `text` any more. */
  readonly dangling: readonly number[];
}

function textOf(answer: string | ChatResponse | ChatClientResponse): string {
  if (typeof answer === 'string') return answer;
  if ('results' in answer) return responseText(answer);
  return answer.chatResponse === undefined ? '' : responseText(answer.chatResponse);
}

function documentsOf(answer: string | ChatResponse | ChatClientResponse): readonly Document[] {
  let found: readonly Document[] | undefined;
  if (typeof answer !== 'string') {
    found =
      'results' in answer
        ? contextValue(answer.metadata, RAG_DOCUMENT_CONTEXT)
        : (contextValue(answer.context, RAG_DOCUMENT_CONTEXT) ??
          contextValue(answer.chatResponse?.metadata ?? {}, RAG_DOCUMENT_CONTEXT));
  }
  if (Array.isArray(found)) return found;
  throw invalidArgument(
    'documents',
    'this answer does not carry its documents: give them, in the order in which the model was shown them',
  );
}

/** The answer as far as it is written. Kept in pieces: to look at the end of a text that grows by pieces copies it each time. */
class AnswerText {
  readonly #pieces: string[] = [];
  length = 0;

  write(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  get isAtLineStart(): boolean {
    return this.#pieces.at(-1)?.endsWith('\n') ?? true;
  }

  /** Takes away the space that led to a mark which is not written, unless what follows needs that space. */
  closeUp(next: string | undefined): void {
    if (next !== undefined && !/[\s\p{Pe}\p{Pf}\p{Pd}\p{Po}]/u.test(next)) return;
    for (let last = this.#pieces.pop(); last !== undefined; last = this.#pieces.pop()) {
      this.length -= last.length;
      let end = last.length;
      while (end > 0 && (last[end - 1] === ' ' || last[end - 1] === '\t')) end--;
      this.write(last.slice(0, end));
      if (end > 0) return;
    }
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

/**
 * Maps the marks of an answer back to documents: [1], [1, 2], [1][3], [1-3], 【1】. Numbers that no document has are taken out of the text,
 * and said. Code, links such as [1](url), an index a[1] and years stay as they are. An index is told from a citation by the letter before
 * it, so a mark has to stand behind a space: the default prompts ask for that.
 *
 * @param answer - a text, a response of a model, or of a client
 * @param documents - in the order in which the model was shown them. Default those of `RetrievalAugmentationAdvisor`; with
 *   `QuestionAnswerAdvisor` give `contextValue(response.context, QA_RETRIEVED_DOCUMENTS)`. Those without text were not shown and have no number.
 * @throws VernalError `invalid_argument` when the answer does not carry its documents and none are given
 * @example
 * const answer = citations('Returns are free [1], I think [7].', [document('Returns are free.', { source: 'faq.md' })]);
 * answer.text; // 'Returns are free [1], I think.'
 * answer.citations[0]?.document.metadata.source; // 'faq.md'
 * answer.dangling; // [7]
 */
export function citations(
  answer: string | ChatResponse | ChatClientResponse,
  documents: readonly Document[] = documentsOf(answer),
): CitedAnswer {
  const shown = documentsWithText(documents);
  const given = textOf(answer);
  const cited = new Map<number, { readonly document: Document; readonly spans: CitationSpan[] }>();
  const dangling = new Set<number>();
  const text = new AnswerText();
  let from = 0;
  for (const mark of citationMarks(given, shown.length)) {
    text.write(given.slice(from, mark.start));
    from = mark.end;
    const pointing = mark.numbers.filter((number) => shown[number - 1] !== undefined);
    for (const number of mark.numbers) if (shown[number - 1] === undefined) dangling.add(number);
    if (pointing.length === 0) {
      if (!text.isAtLineStart) text.closeUp(given[from]);
      else if (given[from] === ' ') from++;
      continue;
    }
    const start = text.length;
    const isWhole = pointing.length === mark.numbers.length;
    text.write(isWhole ? given.slice(mark.start, mark.end) : rewritten(given, mark, pointing));
    for (const number of pointing) {
      const document = shown[number - 1];
      if (document === undefined) continue;
      const one = cited.get(number) ?? { document, spans: [] };
      one.spans.push({ start, end: text.length });
      cited.set(number, one);
    }
  }
  text.write(given.slice(from));
  return {
    text: text.toString(),
    citations: Array.from(cited, ([index, { document, spans }]) => ({ index, document, spans })),
    dangling: [...dangling],
  };
}

function rewritten(text: string, { start, end }: CitationMark, numbers: readonly number[]): string {
  return `${text[start] ?? ''}${numbers.join(', ')}${text[end - 1] ?? ''}`;
}

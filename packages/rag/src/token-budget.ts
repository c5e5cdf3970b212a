import type { Document, TokenCountEstimator } from '@vernal/core';
import { invalidArgument, VernalError } from '@vernal/core';
import { cutText } from './cut-text.js';
import type { DocumentPostProcessor } from './parts.js';
import { documentsWithText, renderDocuments } from './render-documents.js';

/** How many tokens, and who counts them. */
export interface TokenBudgetOptions {
  /** What all documents that are kept may have together. */
  readonly maxTokens: number;
  /** Such as what `loadTokenCountEstimator` of `@vernal/tokenizer` gives. */
  readonly estimator: TokenCountEstimator;
  /** Counts what `renderDocuments` puts around and between them too: numbers, sources, marks. Default false: texts alone. */
  readonly countMarks?: boolean | undefined;
  /** Told what did not fit, where something did not; what it throws does no harm. Default: nobody. */
  readonly onOmitted?: ((omitted: OmittedDocuments) => void) | undefined;
}

/** What a budget had no room for. */
export interface OmittedDocuments {
  /** Those of which nothing was kept, in their order. */
  readonly leftOut: readonly Document[];
  /** The one whose end was cut off, whole. */
  readonly cut?: Document | undefined;
}

/**
 * Keeps what fits into a number of tokens, and never more. Documents are taken in their order; one that does not fit any more is left out,
 * and those behind it are tried. Only the first is cut instead, when it alone is too large: behind a whole sentence, else a word, else a
 * character. Put it behind what orders documents and before `lostInTheMiddle`.
 *
 * @throws VernalError `invalid_argument` for a number below 1 and without an estimator; `process` throws `invalid_state` for an estimator
 * that gives no number
 * @example
 * ```ts
 * documentPostProcessors: [tokenBudget({ maxTokens: 4000, estimator, countMarks: true })];
 * ```
 */
export function tokenBudget(options: TokenBudgetOptions): DocumentPostProcessor {
  const { maxTokens, estimator, countMarks = false, onOmitted } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1)
    throw invalidArgument('maxTokens', 'must be a whole number, at least 1');
  if (typeof estimator?.count !== 'function') throw invalidArgument('estimator', 'must be an object with count(text)');
  const tokensOf = (text: string): number => checkedCount(estimator.count(text));
  const counter: TokenCounter = countMarks
    ? { count: (documents) => tokensOf(renderDocuments(documents)), frame: tokensOf(FRAME) }
    : {
        count: (documents) => documentsWithText(documents).reduce((sum, { text }) => sum + tokensOf(text ?? ''), 0),
        frame: 0,
      };
  return {
    process: (_query, documents) => {
      const { kept, omitted } = fitting(documents, maxTokens, counter);
      if (omitted.leftOut.length > 0 || omitted.cut !== undefined) tell(onOmitted, omitted);
      return kept;
    },
  };
}

/** What is no number is above no limit: everything would fit. */
function checkedCount(tokens: number): number {
  if (Number.isFinite(tokens) && tokens >= 0) return tokens;
  throw new VernalError('The estimator gave no number of tokens: count(text) has to return one, 0 or more, at once', {
    code: 'invalid_state',
    subject: 'estimator',
  });
}

function tell(listener: TokenBudgetOptions['onOmitted'], omitted: OmittedDocuments): void {
  try {
    listener?.(omitted);
  } catch {
    // More documents than there is room for would do more harm than a listener that was not heard.
  }
}

/** What `renderDocuments` puts around all documents together. */
const FRAME = '<documents>\n\n</documents>';

interface TokenCounter {
  /** Tokens of documents together. */
  count(documents: readonly Document[]): number;
  /** What of it does not belong to one of them. */
  readonly frame: number;
}

interface Fitting {
  readonly kept: readonly Document[];
  readonly omitted: OmittedDocuments;
}

function fitting(documents: readonly Document[], maxTokens: number, { count, frame }: TokenCounter): Fitting {
  /** What is kept, by what was given. */
  const taken = new Map<number, Document>();
  let left = maxTokens - frame;
  let isFirst = true;
  for (const [at, document] of documents.entries()) {
    const hasText = hasWords(document);
    const fits = (text: string): boolean => count([{ ...document, text }]) <= maxTokens;
    const offered = hasText && isFirst ? cutDocument(document, fits) : document;
    if (hasText) isFirst = false;
    const tokens = offered === undefined || !hasText ? 0 : count([offered]) - frame;
    if (offered === undefined || tokens > left) continue;
    taken.set(at, offered);
    left -= tokens;
  }
  const places = [...taken.keys()].filter((at) => hasWords(documents[at]));
  // Tokens can join or part where texts meet.
  while (places.length > 0 && count([...taken.values()]) > maxTokens) taken.delete(places.pop() ?? 0);
  const cut = documents.find((document, at) => taken.has(at) && taken.get(at) !== document);
  return { kept: [...taken.values()], omitted: { leftOut: documents.filter((_, at) => !taken.has(at)), cut } };
}

function hasWords(document: Document | undefined): boolean {
  return document?.text !== undefined && document.text.trim() !== '';
}

/** Undefined where nothing of it fits. */
function cutDocument(document: Document, fits: (text: string) => boolean): Document | undefined {
  const { text = '' } = document;
  if (fits(text)) return document;
  const beginning = cutText(text, fits);
  return beginning === '' ? undefined : { ...document, text: beginning };
}

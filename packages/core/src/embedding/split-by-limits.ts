import type { EmbeddingModel } from './embedding-model.js';

/** Neighbouring inputs of one request; `end` is exclusive. */
export interface InputRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts inputs into requests, in order, as few as the limits allow. An input that is beyond the limit by itself is a request by itself: only
 * the provider knows its exact count.
 */
export function splitByLimits(texts: readonly string[], limits: EmbeddingModel['limits']): readonly InputRange[] {
  const { maxInputs = Number.POSITIVE_INFINITY, maxTokens } = limits ?? {};
  const ranges: InputRange[] = [];
  let start = 0;
  let tokens = 0;
  texts.forEach((text, i) => {
    const own = maxTokens === undefined ? 0 : estimatedTokens(text);
    if (i > start && (i - start >= maxInputs || (maxTokens !== undefined && tokens + own > maxTokens))) {
      ranges.push({ start, end: i });
      start = i;
      tokens = 0;
    }
    tokens += own;
  });
  if (texts.length > start) ranges.push({ start, end: texts.length });
  return ranges;
}

/** Four characters a token in Latin script, two in other alphabets, one in scripts without spaces, each rounded against us. */
function estimatedTokens(text: string): number {
  if (!/[^\0-\u024f]/.test(text)) return Math.ceil(text.length / 4);
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    quarters += unit < 0x250 ? 1 : unit < 0x2e80 ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
}

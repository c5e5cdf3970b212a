import { isOneValue, jsonLikeWalker } from './json-like.js';

/**
 * Drops the prose around a JSON object or list; of several the longest is taken, the first of equals. A part of something that went
 * wrong is never taken for the answer, nor is something short of another kind beside it: then the text stays as it is, so that reading
 * it fails.
 */
export function extractJson(text: string): string {
  const walk = jsonLikeWalker(text);
  if (isOneValue(text, walk)) return text;
  const bracket = /[{[]/g;
  let best = '';
  let broken = '';
  for (let match = bracket.exec(text); match !== null; match = bracket.exec(text)) {
    const found = walk(match.index);
    const length = found.end - match.index;
    if (found.kind === 'broken' && length > broken.length) broken = text.slice(match.index, found.end);
    if (found.kind === 'value' && length > best.length) best = text.slice(match.index, found.end);
    bracket.lastIndex = found.end;
  }
  return best !== '' && (best.length > broken.length || best[0] === broken[0]) ? best : text;
}

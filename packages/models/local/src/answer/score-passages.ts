import type { Lexicon } from '../words/lexicon.js';
import { splitWords } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';
import { asksForAmount, holdsAmount, type Term } from './question-terms.js';
import type { GivenDocument } from './read-prompt.js';
import type { Passage } from './split-passages.js';

export interface Candidate { readonly document: GivenDocument; readonly passage: Passage }
export interface Scored extends Candidate { readonly coverage: number; readonly evidence: number; readonly score: number; readonly hit: readonly number[]; readonly similarity: number; readonly exact: number; readonly weights: readonly number[] }
interface Bag { readonly stems: ReadonlySet<string>; readonly rows: readonly number[] }

export const P = { context: 0.7, soft0: 0.5, soft1: 0.9, softMax: 0.7, titleW: 0.5, simW: 0.6, rankW: 0.06, bgW: 0.15, first: 0.06, amount: 0.15, docW: 0.25, lenW: 0.0, nameW: 0.15, long: 0.08, head: 0.15, defW: 0.2 };

export function bag(text: string, lexicon: Lexicon): Bag {
  const stems = new Set<string>(); const rows = new Set<number>();
  for (const { text: w, kind } of splitWords(text)) { if (kind === 'identifier') continue; if (isStopWord(w)) continue; stems.add(kind === 'word' ? stemWord(w) : w); if (kind === 'word') for (const r of lexicon.rows(w)) rows.add(r); }
  return { stems, rows: [...rows] };
}
export function match(term: Term, b: Bag, lexicon: Lexicon): number {
  if (b.stems.has(term.stem)) return 1;
  let best = 0;
  for (const r of term.rows) for (const o of b.rows) { const s = lexicon.table.similarity(r, o); if (s > best) best = s; }
  if (term.rows.length > 1) best *= 0.7;
  return best <= P.soft0 ? 0 : Math.min(1, (best - P.soft0) / (P.soft1 - P.soft0)) * P.softMax;
}

export function scorePassages(question: string, terms: readonly Term[], background: readonly Term[], candidates: readonly Candidate[], similarities: readonly number[], lexicon: Lexicon): Scored[] {
  const bags = candidates.map(({ passage }) => bag(passage.text, lexicon));
  const contexts = candidates.map(({ passage, document }) => bag(`${passage.context}\n${document.title}`, lexicon));
  const docBags = new Map<GivenDocument, Bag>();
  for (const { document } of candidates) if (!docBags.has(document)) docBags.set(document, bag(`${document.title}\n${document.text}`, lexicon));
  const n = candidates.length;
  const nd = docBags.size; const dfd = (t: Term) => [...docBags.values()].filter((b) => b.stems.has(t.stem)).length / nd;
  const weight = terms.map((t) => { if (nd >= 3 && t.rows.length === 0 && dfd(t) >= 0.4) return t.weight * P.nameW; const df = bags.filter((b) => b.stems.has(t.stem)).length; const idf = Math.log(1 + n / (df + 0.5)) / Math.log(1 + n / 0.5); return t.weight * (0.3 + 0.7 * idf); });
  const total = weight.reduce((a, b) => a + b, 0) || 1;
  const docMatch = new Map<GivenDocument, number[]>(); for (const [d, b] of docBags) docMatch.set(d, terms.map((t) => match(t, b, lexicon)));
  const amount = asksForAmount(question);
  const bgTotal = background.reduce((a, t) => a + t.weight, 0) || 1;
  return candidates.map((c, i) => {
    const own = bags[i] as Bag; const ctx = contexts[i] as Bag;
    const hit = terms.map((t) => Math.max(match(t, own, lexicon), P.context * match(t, ctx, lexicon)));
    const dm = docMatch.get(c.document) ?? [];
    let cov = 0, doc = 0; hit.forEach((h, k) => { cov += h * (weight[k] ?? 0); doc += Math.max(h, dm[k] ?? 0) * (weight[k] ?? 0); });
    cov /= total; doc /= total;
    let bg = 0; for (const t of background) bg += t.weight * Math.max(match(t, own, lexicon), match(t, ctx, lexicon)); bg /= bgTotal;
    const similarity = similarities[i] ?? 0;
    let evidence = 0.6 * cov + 0.4 * doc;
    if (amount && !holdsAmount(c.passage.text)) evidence *= 0.75;
    const headStems = [...bag(c.passage.context.split('\n')[0] ?? '', lexicon).stems];
    const head = headStems.length === 0 ? 0 : headStems.filter((x) => terms.some((t) => t.stem === x)).length / headStems.length;
    const ws = splitWords(c.passage.text.replace(/^[|\s]+/, '')); const firstWord = ws.find((w) => w.kind === 'word' && !isStopWord(w.text));
    const opens = firstWord !== undefined && terms.some((t) => t.stem === stemWord(firstWord.text));
    const defines = opens && /^\s*what(?:'s| is| are)\b/i.test(question) && terms.length <= 3 && /\b(?:is|are|means|wraps|turns|keeps|gives|decides|stands)\b/.test(c.passage.text.slice(0, 60));
    const long = Math.max(0, Math.log2(ws.length / 40));
    const extra = P.head * head + (opens ? P.first : 0) + (defines ? P.defW : 0) - P.long * long;
    const score = extra + cov + P.docW * doc + P.simW * similarity + P.rankW / c.document.index + P.bgW * bg - (amount && !holdsAmount(c.passage.text) ? P.amount : 0);
    return { ...c, coverage: cov, evidence, score, hit, similarity, exact: doc, weights: weight };
  });
}

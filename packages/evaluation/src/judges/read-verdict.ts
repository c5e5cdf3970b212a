import { defaultCleaners } from '@vernal/core';
import type { Verdict } from '../evaluator.js';
import { leadingVerdict, loneVerdict } from './verdict-words.js';

/** What a judge said. */
export interface ReadVerdict {
  readonly verdict: Verdict;
  /** Why, in the judge's words; '' when it did not say. */
  readonly reason: string;
}

type Decided = Exclude<Verdict, 'inconclusive'>;

const [, removeThinking = same] = defaultCleaners;
/** Cuts prose around JSON, then mends it; thoughts are gone by then. */
const jsonCleaners = defaultCleaners.slice(3);
const VERDICT_KEYS = [
  'verdict',
  'answer',
  'result',
  'decision',
  'judgement',
  'judgment',
  'pass',
  'supported',
  'relevant',
];
const REASON_KEYS = ['reason', 'explanation', 'feedback', 'rationale', 'reasoning'];
/** Of one line: over many, its beginning would be tried at each white space. */
const LABEL =
  /^[\s*_`#>-]*(?:(?:final|my|the)\s+)*(?:answer|verdict|judge?ment|conclusion|decision|result|antwort|urteil|réponse|respuesta|ответ|答案|答え|结论|判断)[*_`]*\s*(?:is\b\s*)?[:：]\s*(.+)$/iu;
const FENCED = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/u;

/**
 * Reads a yes or no out of a judge's answer. Understood are, in many languages, a yes or no at the beginning ('**Yes**, because …'), one that
 * stands on a line of its own, one behind 'Answer:' or 'Verdict:', and JSON with a `verdict`. What the judge thought aloud does not count.
 *
 * All that is said has to agree: 'Yes. … Verdict: no' is 'inconclusive', and so is what is neither or half of both: 'maybe', 'yes and no',
 * 'yes and more', 'yes, but …', 'no idea', ''. Spring AI takes everything but the bare word for a no.
 *
 * @example
 * readVerdict('No, it is not.'); // { verdict: 'fail', reason: 'it is not.' }
 */
export function readVerdict(answer: string): ReadVerdict {
  const text = removeThinking(answer.trim()).trim();
  const whole = (FENCED.exec(text)?.[2] ?? text).trim();
  if (whole.startsWith('{') && whole.endsWith('}')) return readJson(whole) ?? { verdict: 'inconclusive', reason: '' };
  const leading = leadingVerdict(whole);
  const inJson = readJson(whole);
  const said = new Set<Decided>();
  if (leading !== undefined) said.add(leading.verdict);
  if (inJson !== undefined && inJson.verdict !== 'inconclusive') said.add(inJson.verdict);
  for (const line of whole.split('\n')) {
    add(said, loneVerdict(line));
    add(said, leadingVerdict(LABEL.exec(line)?.[1] ?? '')?.verdict);
  }
  const [verdict, other] = [...said];
  if (verdict === undefined || other !== undefined) return { verdict: 'inconclusive', reason: '' };
  return { verdict, reason: leading?.rest ?? inJson?.reason ?? whole };
}

function add(said: Set<Decided>, verdict: Decided | undefined): void {
  if (verdict !== undefined) said.add(verdict);
}

/** Undefined when there is no JSON that holds a verdict. */
function readJson(text: string): ReadVerdict | undefined {
  const value = parsed(jsonCleaners.reduce((cleaned, clean) => clean(cleaned), text));
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member as unknown]));
  const key = VERDICT_KEYS.find((name) => fields.has(name));
  if (key === undefined) return undefined;
  const reason = REASON_KEYS.map((name) => fields.get(name)).find((one) => typeof one === 'string');
  return { verdict: verdictOf(fields.get(key)), reason: typeof reason === 'string' ? reason : '' };
}

function verdictOf(value: unknown): Verdict {
  if (value === true || value === 1) return 'pass';
  if (value === false || value === 0) return 'fail';
  return (typeof value === 'string' ? leadingVerdict(value)?.verdict : undefined) ?? 'inconclusive';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function same(text: string): string {
  return text;
}

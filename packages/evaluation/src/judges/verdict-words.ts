import type { Verdict } from '../evaluator.js';

/** Whole words, lower case, NFC. Of languages that a judge may fall into; what is not here is not understood, which is no verdict. */
const YES =
  'yes yeah yep true correct supported pass passed oui sí sì si ja jawohl sim da так да tak evet igen ano áno ναι 是 是的 对 對 正确 正確 支持 はい 네 예 نعم हाँ हां ใช่';
const NO =
  'no nope false incorrect unsupported fail failed non nein nee não nao nej nei ne нет ні nie hayır nem όχι 否 不 不是 不对 不對 错误 錯誤 不支持 いいえ 아니요 아니오 아니다 لا नहीं ไม่';

const POLARITY: ReadonlyMap<string, Exclude<Verdict, 'inconclusive'>> = new Map([
  ...YES.split(' ').map((word) => [word, 'pass'] as const),
  ...NO.split(' ').map((word) => [word, 'fail'] as const),
]);

/** With these behind it, a yes or a no is half of one. */
const HEDGES = new Set(
  'but however although though except unless or partly partially mostly mainly largely somewhat almost maybe perhaps possibly probably aber jedoch teilweise mais partiellement pero parcialmente ma mas но хотя'.split(
    ' ',
  ),
);
/** Behind a yes or a no without a comma they begin a sentence; anything else makes it another phrase: 'no idea', 'yes and no'. */
const SENTENCE_STARTS = new Set(
  'it it’s its this that the these those there they he she we i all every each because since as response answer claim document context everything nothing'.split(
    ' ',
  ),
);

const MARKUP = String.raw`[\s*_${'`'}#>"'“”‘’«»()\[\]{}•]`;
const OPENING = new RegExp(`^(?:${MARKUP}|[-–—](?=\\s))+`, 'u');
const CLOSING = /^["'*_`”’»)\]}]+/u;
const WORD = /^[\p{L}\p{M}]+/u;
const STOP = /^(?:\s*[.,;:!…。，、；：！،؛।(]|\s*[–—]|\s+-\s|\s*\n)/u;

interface Statement {
  readonly verdict: Exclude<Verdict, 'inconclusive'>;
  /** What follows the word. */
  readonly rest: string;
}

/** The yes or no that a text begins with; undefined when it begins with none, or with half of one. */
export function leadingVerdict(text: string): Statement | undefined {
  const found = firstWord(text);
  const verdict = POLARITY.get(found.word);
  if (verdict === undefined) return undefined;
  const rest = found.rest.replace(CLOSING, '');
  if (rest.trim() === '') return { verdict, rest: '' };
  const stop = STOP.exec(rest)?.[0];
  if (stop === undefined && !/^\s/.test(rest)) return undefined;
  const after = rest.slice(stop?.length ?? 0);
  const next = firstWord(after);
  if (stop === undefined && !SENTENCE_STARTS.has(next.word)) return undefined;
  if (HEDGES.has(next.word)) return undefined;
  const other = POLARITY.get(next.word);
  // 'Yes. No.' says nothing; in 'No, false claims are made' the second word is a part of the sentence.
  if (other !== undefined && other !== verdict && (next.rest.trim() === '' || STOP.test(next.rest))) return undefined;
  return { verdict, rest: after.trim() };
}

/** Undefined unless the line is one yes or no and nothing else. */
export function loneVerdict(line: string): Statement['verdict'] | undefined {
  const { word, rest } = firstWord(line);
  return /^[\s\p{P}*_`]*$/u.test(rest) && !rest.includes('?') ? POLARITY.get(word) : undefined;
}

function firstWord(text: string): { readonly word: string; readonly rest: string } {
  const bare = text.normalize('NFC').replace(OPENING, '');
  const word = WORD.exec(bare)?.[0] ?? '';
  return { word: word.toLowerCase(), rest: bare.slice(word.length) };
}

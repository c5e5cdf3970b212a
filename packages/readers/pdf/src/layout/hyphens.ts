/** What stands between two lines that belong together, and how much of the first one's end goes. */
export interface Joint {
  readonly between: '' | ' ' | '\n' | '\n\n';
  readonly cut: number;
}

const HYPHEN = /[\p{L}\p{N}][-\u2010\u2011\u00ad]$/u;
/** Before another word these keep their hyphen far more often than they are its first syllable. The page's own words outweigh this list. */
const COMPOUNDING =
  /^(?:cross|first|full|half|high|large|long|low|non|second|self|short|single|small|third|three|two|user|well|world)$/i;
/** 'Vor- und Nachteile', 'two- or threefold': the hyphen stands for a word to come. */
const JOINING_WORD = /^(?:und|oder|bzw|and|or|to|et|ou|y|o|e|en|of|och|eller)\b/;

/** The words of a page, asked for when a hyphen needs them. */
export interface Words {
  has(word: string): boolean;
}

/**
 * How a line that ends with a hyphen goes on with `next`; undefined if it does not. A syllable's hyphen goes ('infor-' 'mation'), that of
 * a compound ('well-' 'known'), of a number ('10-' '20') and before a capital stays.
 */
export function hyphenJoint(line: string, next: string, words: Words): Joint | undefined {
  if (!HYPHEN.test(line)) return undefined;
  const isSoft = line.endsWith('\u00ad');
  if (JOINING_WORD.test(next) && !isSoft) return { between: ' ', cut: 0 };
  const second = /^\p{L}+/u.exec(next)?.[0];
  const first = /(?:^|[^\p{L}-])(\p{L}+)[-\u2010\u2011\u00ad]$/u.exec(line)?.[1];
  if (second === undefined) return /^\p{N}/u.test(next) ? { between: '', cut: isSoft ? 1 : 0 } : undefined;
  if (isSoft) return { between: '', cut: 1 };
  if (first === undefined || !/^\p{Ll}/u.test(second)) return { between: '', cut: 0 };
  if (words.has(first + second)) return { between: '', cut: 1 };
  const isCompound = words.has(`${first}-${second}`) || COMPOUNDING.test(first);
  return { between: '', cut: isCompound ? 0 : 1 };
}

/** The words in these lines, those broken at their ends left out. Looked for when the first one is asked for. */
export function wordsOf(parts: readonly { readonly lines: readonly { readonly text: string }[] }[]): Words {
  let found: Set<string> | undefined;
  const collect = (): Set<string> => {
    const words = new Set<string>();
    for (const { text } of parts.flatMap(({ lines }) => lines)) {
      const all = text.match(/\p{L}+(?:[-\u2010\u2011]\p{L}+)*/gu) ?? [];
      for (const word of all.slice(1, -1)) words.add(word.replace(/[\u2010\u2011]/g, '-').toLowerCase());
    }
    return words;
  };
  return {
    has(word) {
      found ??= collect();
      return found.has(word.toLowerCase());
    },
  };
}

import type { JsonInput } from '@vernal/core';
import { canonicalJson } from '@vernal/core';

/** A call that was made, as a model asks for it: a core `ToolCall` is one. */
export interface MadeToolCall {
  readonly name: string;
  /** JSON text; '' when there were none. */
  readonly arguments: string;
}

/** A call that should have been made. */
export interface ExpectedToolCall {
  readonly name: string;
  /** Left out: any arguments will do. */
  readonly arguments?: JsonInput | undefined;
}

/** 'equal': the arguments and no others; 'subset': those, and maybe more; 'ignore'. */
export type ArgumentMatching = 'equal' | 'subset' | 'ignore';

export function isCallOf(expected: ExpectedToolCall, made: MadeToolCall, matching: ArgumentMatching): boolean {
  if (expected.name !== made.name) return false;
  if (expected.arguments === undefined || matching === 'ignore') return true;
  const given = parsed(made.arguments);
  if (given === undefined) return false;
  const wanted: JsonInput = JSON.parse(canonicalJson(expected.arguments));
  return matching === 'equal' ? canonicalJson(given) === canonicalJson(wanted) : holds(given, wanted);
}

/** Objects may hold more, at any depth; everything else is equal. */
function holds(given: JsonInput, wanted: JsonInput): boolean {
  if (!isObject(wanted)) return canonicalJson(given) === canonicalJson(wanted);
  if (!isObject(given)) return false;
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(given, key) && holds(given[key], value));
}

function isObject(value: JsonInput): value is { readonly [key: string]: JsonInput } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function parsed(text: string): JsonInput {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return undefined;
  }
}

/**
 * The most pairs that can be made when order does not count, as indices into `made`, by expected call. A call that would fit two expected ones
 * must not be taken by the one that another call would fit as well: augmenting paths (Kuhn 1955).
 */
export function pairsInAnyOrder(fits: readonly (readonly boolean[])[]): (number | undefined)[] {
  const takenBy = new Map<number, number>();
  const place = (expected: number, tried: Set<number>): boolean =>
    (fits[expected] ?? []).some((fit, made) => {
      if (!fit || tried.has(made)) return false;
      tried.add(made);
      const other = takenBy.get(made);
      if (other !== undefined && !place(other, tried)) return false;
      takenBy.set(made, expected);
      return true;
    });
  fits.forEach((_, expected) => {
    place(expected, new Set());
  });
  const pairs: (number | undefined)[] = fits.map(() => undefined);
  for (const [made, expected] of takenBy) pairs[expected] = made;
  return pairs;
}

/** The most pairs that can be made when order counts: the longest common subsequence. */
export function pairsInOrder(fits: readonly (readonly boolean[])[], madeCount: number): (number | undefined)[] {
  const longest = Array.from({ length: fits.length + 1 }, () => new Array<number>(madeCount + 1).fill(0));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = fits.length - 1; i >= 0; i--) {
    const row = longest[i] ?? [];
    for (let j = madeCount - 1; j >= 0; j--) {
      row[j] = fits[i]?.[j] ? 1 + at(i + 1, j + 1) : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (number | undefined)[] = fits.map(() => undefined);
  for (let [i, j] = [0, 0]; i < fits.length && j < madeCount; ) {
    if (fits[i]?.[j] && at(i, j) === 1 + at(i + 1, j + 1)) pairs[i++] = j++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

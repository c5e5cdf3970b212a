import type { FilterComparison, FilterScalar } from '@vernal/vector-store';
import { FilterExpressionConverter } from '@vernal/vector-store';
import { NO_TOKEN, presenceToken, typeToken, valueToken } from './metadata-tokens.js';
import type { IndexedField } from './redis-settings.js';

/** Levels of parentheses that are given to the engine, whose parser has a stack of a few hundred. */
const DEEPEST = 50;

/** A condition in the engine's language. */
export interface RedisCondition {
  readonly text: string;
  /** False: it also finds what the filter does not match, and each document is to be looked at again. */
  readonly exact: boolean;
}

interface Part extends RedisCondition {
  readonly depth: number;
  /** True when there is an OR in it. */
  readonly alternatives: boolean;
  /** Of a chain of one operator, which is written without parentheses of its own until it is an operand. */
  readonly chain?: { readonly operator: ' ' | ' | '; readonly operands: string[] };
}

const tagged = (...tokens: readonly string[]): string => `@tokens:{${tokens.join('|')}}`;

/** The engine finds at least what the filter matches. */
const ANYTHING: Part = { text: `(-${tagged(NO_TOKEN)})`, exact: false, depth: 1, alternatives: false };

/**
 * A filter as a query that finds what it matches, or more. Keys and values are in it as hashes, numbers as numbers: there is nothing to
 * escape. What the engine cannot answer, order among texts and among numbers of keys that are not declared, is asked as 'has a text' and
 * 'has a number'; as NOT never reaches this place, more of an operand is more of the whole.
 */
export class RedisFilter extends FilterExpressionConverter<Part> {
  readonly #numeric: ReadonlyMap<string, string>;

  constructor(fields: readonly IndexedField[]) {
    super();
    this.#numeric = new Map(fields.filter(({ type }) => type === 'numeric').map(({ name, alias }) => [name, alias]));
  }

  protected and(left: Part, right: Part): Part {
    // Of two alternatives that each hold an intersection and a negation the engine (search 2.10, in a vector search) finds nothing:
    // `((a b) | (-c)) ((d e) | (-f))`. One of them is asked, and what it finds is looked at again.
    if (left.alternatives && right.alternatives) return { ...left, exact: false };
    return joined(' ', left, right);
  }

  protected or(left: Part, right: Part): Part {
    return joined(' | ', left, right);
  }

  protected compare(type: FilterComparison, key: string, value: FilterScalar): Part {
    if (value === null) return this.isNull(key, type === 'NE');
    if (type === 'EQ') return leaf(tagged(valueToken(key, value)));
    if (type === 'NE') return leaf(`(-${tagged(valueToken(key, value))})`);
    if (typeof value !== 'number') return leaf(tagged(typeToken(key, 'string')), false);
    const alias = this.#numeric.get(key);
    return alias === undefined ? leaf(tagged(typeToken(key, 'number')), false) : leaf(range(alias, type, value));
  }

  protected list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): Part {
    const any = tagged(...values.flatMap((value) => (value === null ? [] : valueToken(key, value))));
    return leaf(type === 'IN' ? any : `(-${any})`);
  }

  protected isNull(key: string, isNot: boolean): Part {
    const present = tagged(presenceToken(key));
    return leaf(isNot ? present : `(-${present})`);
  }

  protected constant(value: boolean): Part {
    return leaf(value ? `(-${tagged(NO_TOKEN)})` : tagged(NO_TOKEN));
  }
}

function leaf(text: string, exact = true): Part {
  return { text, exact, depth: 1, alternatives: false };
}

function range(alias: string, type: 'GT' | 'GTE' | 'LT' | 'LTE', value: number): string {
  const open = type === 'GT' || type === 'LT' ? '(' : '';
  const [least, most] = type === 'GT' || type === 'GTE' ? [`${open}${value}`, '+inf'] : ['-inf', `${open}${value}`];
  return `@${alias}:[${least} ${most}]`;
}

/** Chains grow to the left. */
function joined(operator: ' ' | ' | ', left: Part, right: Part): Part {
  const operands = left.chain?.operator === operator ? left.chain.operands : [left.text];
  operands.push(right.text);
  return shallow({
    // Made when it is asked for: a chain of thousands would be written anew with each operand.
    get text() {
      return `(${operands.join(operator)})`;
    },
    exact: left.exact && right.exact,
    depth: Math.max(left.chain?.operator === operator ? left.depth : left.depth + 1, right.depth + 1),
    chain: { operator, operands },
    alternatives: operator === ' | ' || left.alternatives || right.alternatives,
  });
}

function shallow(part: Part): Part {
  return part.depth > DEEPEST ? ANYTHING : part;
}

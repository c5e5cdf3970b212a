import type { SqliteValue } from '@vernal/sql';
import type { FilterComparison, FilterScalar, NormalFilter } from '@vernal/vector-store';
import { FilterExpressionConverter } from '@vernal/vector-store';
import { storableJson, storableKey, storableText } from './sqlite-text.js';

/** SQL with the values of its parameters, in their order. */
export interface SqliteFragment {
  readonly text: string;
  readonly values: readonly SqliteValue[];
}

/** One condition, or several that are joined. */
interface Conditions {
  readonly operator?: 'AND' | 'OR';
  readonly parts: SqliteFragment[];
}

const OPERATORS = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;

/**
 * A filter as conditions on the JSON column `d.metadata`. Keys and values are parameters, all of them; every condition is 0 or 1, never NULL.
 * Numbers are read by SQLite's own JSON on both sides, so that equal ones are equal.
 *
 * Source: https://sqlite.org/json1.html
 */
class SqliteFilter extends FilterExpressionConverter<Conditions> {
  protected and(left: Conditions, right: Conditions): Conditions {
    return chained('AND', left, right);
  }

  protected or(left: Conditions, right: Conditions): Conditions {
    return chained('OR', left, right);
  }

  protected compare(type: FilterComparison, key: string, value: FilterScalar): Conditions {
    if (type === 'EQ') return this.list('IN', key, [value]);
    if (type === 'NE') return this.list('NIN', key, [value]);
    const [found, given] = [at('json_extract', key), fragment('?', storableText(String(value)))];
    return typeof value === 'number'
      ? one(sql`CASE WHEN ${at('json_type', key)} IN ('integer', 'real')
          THEN ${found} ${fragment(OPERATORS[type])} json_extract(${given}, '$') ELSE 0 END`)
      : one(
          sql`CASE ${at('json_type', key)} WHEN 'text' THEN ${found} ${fragment(OPERATORS[type])} ${given} ELSE 0 END`,
        );
  }

  protected list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): Conditions {
    const own = cases(at('json_extract', key), values);
    const item = cases(fragment('item.value'), values);
    const found = sql`CASE ${at('json_type', key)} ${own} WHEN 'array' THEN
      EXISTS (SELECT 1 FROM ${at('json_each', key)} AS item WHERE CASE item.type ${item} ELSE 0 END) ELSE 0 END`;
    return one(type === 'IN' ? found : sql`NOT ${found}`);
  }

  protected isNull(key: string, negated: boolean): Conditions {
    return one(sql`coalesce(${at('json_type', key)}, 'null') ${fragment(negated ? '<>' : '=')} 'null'`);
  }

  protected constant(value: boolean): Conditions {
    return one(fragment(value ? '1' : '0'));
  }
}

const filters = new SqliteFilter();

/** A condition for WHERE. */
export function condition(filter: NormalFilter): SqliteFragment {
  return joined(filters.convert(filter));
}

/** Puts fragments into a text, with their values. */
export function sql(texts: TemplateStringsArray, ...parts: readonly SqliteFragment[]): SqliteFragment {
  return {
    text: texts.reduce((text, next, index) => `${text}${parts[index - 1]?.text ?? ''}${next}`),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Text of this file's own making, with one value a `?`. */
export function fragment(text: string, ...values: readonly SqliteValue[]): SqliteFragment {
  return { text, values };
}

function one(part: SqliteFragment): Conditions {
  return { parts: [part] };
}

/** Neither side is used again: a chain of thousands grows in place. */
function chained(operator: 'AND' | 'OR', left: Conditions, right: Conditions): Conditions {
  const parts = left.operator === operator ? left.parts : [joined(left)];
  for (const part of right.operator === operator ? right.parts : [joined(right)]) parts.push(part);
  return { operator, parts };
}

/** In halves: SQLite takes an expression 1,000 levels deep, and a chain written from the left is as deep as it is long. */
function joined({ operator = 'AND', parts }: Conditions, from = 0, to: number = parts.length): SqliteFragment {
  const [only] = parts.slice(from, from + 1);
  if (only === undefined || to - from === 1) return only ?? fragment('1');
  const middle = (from + to) >> 1;
  const [left, right] = [joined({ operator, parts }, from, middle), joined({ operator, parts }, middle, to)];
  return sql`(${left} ${fragment(operator)} ${right})`;
}

/** A JSON function of what the key names in the metadata. */
function at(name: 'json_type' | 'json_extract' | 'json_each', key: string): SqliteFragment {
  return sql`${fragment(name)}(d.metadata, ${path(key)})`;
}

/** A key with dots may also lead into objects; the key that is literally so called wins. */
function path(key: string): SqliteFragment {
  const own = `$${label(key)}`;
  if (!key.includes('.')) return fragment('?', own);
  const nested = `$${key.split('.').map(label).join('')}`;
  return fragment('CASE WHEN json_type(d.metadata, ?) IS NULL THEN ? ELSE ? END', own, nested, own);
}

function label(name: string): string {
  return `."${storableKey(name)}"`;
}

/** The branches of a CASE on a JSON type that say whether a value is one of a list. */
function cases(value: SqliteFragment, values: readonly FilterScalar[]): SqliteFragment {
  const branches: SqliteFragment[] = [];
  for (const [type, jsonTypes] of [
    ['string', ['text']],
    ['number', ['integer', 'real']],
  ] as const) {
    const members = values.filter((member) => typeof member === type);
    if (members.length === 0) continue;
    const found = sql`${value} IN (SELECT value FROM json_each(${fragment('?', storableJson(members))}))`;
    for (const jsonType of jsonTypes) branches.push(sql`WHEN ${fragment(`'${jsonType}'`)} THEN ${found}`);
  }
  if (values.includes(true)) branches.push(fragment("WHEN 'true' THEN 1"));
  if (values.includes(false)) branches.push(fragment("WHEN 'false' THEN 1"));
  return {
    text: branches.map(({ text }) => text).join(' '),
    values: branches.flatMap((branch) => branch.values),
  };
}

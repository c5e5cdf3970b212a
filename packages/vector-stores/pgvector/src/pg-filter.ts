import type { FilterComparison, FilterScalar, SqlFragment } from '@vernal/vector-store';
import { FilterExpressionConverter } from '@vernal/vector-store';
import { storableJson, storableText } from './pg-text.js';

const OPERATORS = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;
/** From so many values on a list is hashed and looked up in; an index can find fewer one by one. */
const LONG_LIST = 32;

/** Stands in a fragment's text for its next parameter; numbered when the statement is put together. No name can hold it. */
export const PARAMETER = '\0';
/** Tables of Spring AI have json; for jsonb the cast is nothing, and indexes are used all the same. */
const METADATA = 'metadata::jsonb';

/**
 * A filter as a condition on the column `metadata`. Keys and values are parameters, all of them. Equality is containment, which a GIN
 * index on the column answers.
 */
export class PgFilter extends FilterExpressionConverter<SqlFragment> {
  protected and(left: SqlFragment, right: SqlFragment): SqlFragment {
    return joined('AND', left, right);
  }

  protected or(left: SqlFragment, right: SqlFragment): SqlFragment {
    return joined('OR', left, right);
  }

  protected compare(type: FilterComparison, key: string, value: FilterScalar): SqlFragment {
    if (type === 'EQ') return oneOf(key, [value]);
    if (type === 'NE') return negated(oneOf(key, [value]));
    const operator = OPERATORS[type];
    const found = valueAt(key);
    // The type is looked at first: a cast of something else would end the query.
    return typeof value === 'number'
      ? fragment(
          `CASE jsonb_typeof(${found.text}) WHEN 'number' THEN (${found.text})::numeric ${operator} ${PARAMETER}::numeric ELSE false END`,
          [...found.params, ...found.params, String(value)],
        )
      : fragment(
          `CASE jsonb_typeof(${found.text}) WHEN 'string' THEN (${found.text} #>> '{}') COLLATE "C" ${operator} ${PARAMETER}::text COLLATE "C" ELSE false END`,
          [...found.params, ...found.params, storableText(String(value))],
        );
  }

  protected list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): SqlFragment {
    const any = values.length < LONG_LIST ? oneOf(key, values) : oneOfMany(key, values);
    return type === 'IN' ? any : negated(any);
  }

  protected isNull(key: string, isNot: boolean): SqlFragment {
    const found = valueAt(key);
    return fragment(`coalesce(jsonb_typeof(${found.text}), 'null') ${isNot ? '<>' : '='} 'null'`, found.params);
  }

  protected constant(value: boolean): SqlFragment {
    return fragment(value ? 'true' : 'false');
  }
}

function fragment(text: string, params: readonly unknown[] = []): SqlFragment {
  return { text, params };
}

function joined(operator: 'AND' | 'OR', left: SqlFragment, right: SqlFragment): SqlFragment {
  return fragment(`(${left.text} ${operator} ${right.text})`, [...left.params, ...right.params]);
}

/** True also where there are no metadata at all. */
function negated({ text, params }: SqlFragment): SqlFragment {
  return fragment(`(${text} IS NOT TRUE)`, params);
}

/** A value itself, or an element of a list. A key with dots may also be a path; the key that is literally so called wins. */
function oneOf(key: string, values: readonly FilterScalar[]): SqlFragment {
  const own = contains([key], values);
  if (!key.includes('.')) return own;
  const path = contains(key.split('.'), values);
  return fragment(`(${own.text} OR (NOT ${METADATA} ? ${PARAMETER}::text AND ${path.text}))`, [
    ...own.params,
    storableText(key),
    ...path.params,
  ]);
}

function contains(path: readonly string[], values: readonly FilterScalar[]): SqlFragment {
  const held = (leaf: string): string => path.reduceRight((inner, name) => `{${storableJson(name)}:${inner}}`, leaf);
  const objects = values.map(storableJson).flatMap((leaf) => [held(leaf), held(`[${leaf}]`)]);
  return fragment(`(${METADATA} @> ANY (${PARAMETER}::text[]::jsonb[]))`, [objects]);
}

/** The same for many values: a parameter however many they are, and a hash table in place of a loop. */
function oneOfMany(key: string, values: readonly FilterScalar[]): SqlFragment {
  const found = valueAt(key);
  const list = `ANY (${PARAMETER}::text[]::jsonb[])`;
  const leaves = values.map(storableJson);
  return fragment(
    `(CASE jsonb_typeof(${found.text}) WHEN 'array' THEN EXISTS (SELECT FROM jsonb_array_elements(${found.text}) AS element WHERE element = ${list}) ELSE ${found.text} = ${list} END)`,
    [...found.params, ...found.params, leaves, ...found.params, leaves],
  );
}

/** NULL where there is nothing. Lists are no part of a path: 'strict' takes no step into them, and 'silent' makes that nothing. */
function valueAt(key: string): SqlFragment {
  const own = `${METADATA} -> ${PARAMETER}::text`;
  if (!key.includes('.')) return fragment(`(${own})`, [storableText(key)]);
  const path = key.split('.').map((name) => `.${storableJson(name)}`);
  return fragment(`coalesce(${own}, jsonb_path_query_first(${METADATA}, ${PARAMETER}::jsonpath, '{}', true))`, [
    storableText(key),
    `strict $${path.join('')}`,
  ]);
}

import type { FilterComparison, FilterScalar, SqlFragment } from '@vernal/vector-store';
import { FilterExpressionConverter } from '@vernal/vector-store';
import { unwritten } from './unwritten.js';

/**
 * A filter in the language of the engine. Keys and values are parameters, or escaped: they are anything that a text can be. NOT is gone, null
 * and empty lists too. What each part has to match is said in docs/filter-language.md.
 */
export class StarterFilter extends FilterExpressionConverter<SqlFragment> {
  protected and(left: SqlFragment, right: SqlFragment): SqlFragment {
    return joined('AND', left, right);
  }

  protected or(left: SqlFragment, right: SqlFragment): SqlFragment {
    return joined('OR', left, right);
  }

  protected compare(_type: FilterComparison, _key: string, _value: FilterScalar): SqlFragment {
    return unwritten('StarterFilter.compare');
  }

  protected list(_type: 'IN' | 'NIN', _key: string, _values: readonly FilterScalar[]): SqlFragment {
    return unwritten('StarterFilter.list');
  }

  protected isNull(_key: string, _negated: boolean): SqlFragment {
    return unwritten('StarterFilter.isNull');
  }

  protected constant(value: boolean): SqlFragment {
    return { text: value ? 'true' : 'false', params: [] };
  }
}

function joined(operator: 'AND' | 'OR', left: SqlFragment, right: SqlFragment): SqlFragment {
  return { text: `(${left.text} ${operator} ${right.text})`, params: [...left.params, ...right.params] };
}

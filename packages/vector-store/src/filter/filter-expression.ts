/** Dates are ISO-8601 text; the factories turn `Date` into it. */
export type FilterScalar = string | number | boolean | null;

export interface FilterKey {
  readonly key: string;
}

export type FilterNode = FilterExpression | { readonly group: FilterExpression };

/** The seeds' thirteen operators and JSON shape; only well-formed trees type-check. Trees from outside go through `validateFilter`. */
export type FilterExpression =
  | { readonly type: 'AND' | 'OR'; readonly left: FilterNode; readonly right: FilterNode }
  | { readonly type: 'NOT'; readonly left: FilterNode }
  | { readonly type: 'ISNULL' | 'ISNOTNULL'; readonly left: FilterKey }
  | {
      readonly type: 'IN' | 'NIN';
      readonly left: FilterKey;
      readonly right: { readonly value: readonly FilterScalar[] };
    }
  | { readonly type: FilterComparison; readonly left: FilterKey; readonly right: { readonly value: FilterScalar } };

export type FilterComparison = 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE';

export type FilterOperator = FilterExpression['type'];

export type FilterInput = FilterScalar | Date;

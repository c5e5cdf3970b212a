/** Dates are ISO-8601 text; the factories turn `Date` into it. */
export type FilterScalar = string | number | boolean | null;

/** The metadata key that is looked at; dots lead into objects. */
export interface FilterKey {
  readonly key: string;
}

/** An operand: a filter, or one in parentheses, which `printFilter` keeps. */
export type FilterNode = FilterExpression | { readonly group: FilterExpression };

/**
 * Plain data after Spring AI's `Filter.Expression`; only well-formed trees type-check. Trees from outside go through `validateFilter`.
 */
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

/** Comparisons with one value. Ordered ones (GT, GTE, LT, LTE) compare numbers with numbers and texts with texts. */
export type FilterComparison = 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE';

/** Every operator that a filter may hold. */
export type FilterOperator = FilterExpression['type'];

/** A value as the builder and the tag take it. */
export type FilterInput = FilterScalar | Date;

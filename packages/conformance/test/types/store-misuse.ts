// What must not compile: each `@ts-expect-error` is one promise of the types; the compiler fails where one starts to compile.
import { document } from '@vernal/core';
import { FilterExpressionConverter, SimpleVectorStore, filter } from '@vernal/vector-store';
import type { FilterExpression, FilterNode, SearchRequest, VectorStore, VectorStoreCapabilities } from '@vernal/vector-store';

declare const store: VectorStore;
// stores and filters
// @ts-expect-error a bare string is neither an id nor a filter
void store.delete('id');
// @ts-expect-error a filter goes in { filter }
void store.delete(filter.eq('a', 1));
// @ts-expect-error ids are strings
void store.delete([1, 2]);
// @ts-expect-error add takes a list
void store.add(document('x'));
// @ts-expect-error AND without right
export const and: FilterExpression = { type: 'AND', left: { type: 'ISNULL', left: { key: 'a' } } };
// @ts-expect-error EQ between two values
export const eq: FilterExpression = { type: 'EQ', left: { value: 1 }, right: { value: 1 } };
// @ts-expect-error EQ between two keys
export const keys: FilterExpression = { type: 'EQ', left: { key: 'a' }, right: { key: 'b' } };
// @ts-expect-error IN wants a list
export const inText: FilterExpression = { type: 'IN', left: { key: 'a' }, right: { value: 'b' } };
// @ts-expect-error GT wants one value
export const gtList: FilterExpression = { type: 'GT', left: { key: 'a' }, right: { value: [1] } };
// @ts-expect-error NOT has no right
export const not: FilterExpression = { type: 'NOT', left: filter.eq('a', 1), right: filter.eq('b', 1) };
// @ts-expect-error there is no LIKE
export const like: FilterExpression = { type: 'LIKE', left: { key: 'a' }, right: { value: 'b%' } };
// @ts-expect-error a group is a node, not an expression
export const group: FilterExpression = filter.group(filter.eq('a', 1));
export const node: FilterNode = filter.group(filter.eq('a', 1));
// @ts-expect-error a list is for in()
filter.eq('a', ['b']);
// @ts-expect-error an object is no filter value
filter.eq('a', { b: 1 });
// @ts-expect-error and() takes at least two
filter.and(filter.eq('a', 1));
// @ts-expect-error objects cannot be interpolated
filter`a == ${{ b: 1 }}`;
// @ts-expect-error threshold is similarityThreshold
export const threshold: SearchRequest = { query: 'q', minScore: 0.5 };
// @ts-expect-error a request has a query
void store.similaritySearch({ topK: 4 });
// @ts-expect-error mode is one of three
void store.similaritySearch({ query: 'q', mode: 'fuzzy' });
// @ts-expect-error an embedding model is needed
new SimpleVectorStore({});
// @ts-expect-error a dialect says everything: isNull and constant are missing
export class HalfDialect extends FilterExpressionConverter<string> {
  protected and(l: string): string { return l; }
  protected or(l: string): string { return l; }
  protected compare(): string { return ''; }
  protected list(): string { return ''; }
}
// @ts-expect-error capabilities are declared in full
export const capabilities: VectorStoreCapabilities = { filterOperators: [], deleteByFilter: true };

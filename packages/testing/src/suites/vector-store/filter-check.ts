import type { Document } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { evaluateFilter, normalizeFilter, printFilter } from '@vernal/vector-store';
import { checkEqual } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreStage } from './store-stage.js';

function operatorsOf(expression: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof expression !== 'object' || expression === null) return found;
  const type: unknown = Reflect.get(expression, 'type');
  if (typeof type === 'string') found.add(type);
  for (const side of ['left', 'right', 'group']) operatorsOf(Reflect.get(expression, side), found);
  return found;
}

/** Does the engine declare what is left of the filter once NOT is pushed down? */
export function declared(stage: StoreStage, expression: FilterExpression): boolean {
  const operators: readonly string[] = stage.store.capabilities.filterOperators;
  return [...operatorsOf(normalizeFilter(expression))].every((type) => operators.includes(type));
}

/** Each filter must find what `evaluateFilter` says, on documents that are stored already. */
export async function checkFilters(
  stage: StoreStage,
  documents: readonly Document[],
  filters: readonly FilterExpression[],
): Promise<void> {
  let tried = 0;
  for (const filterExpression of filters) {
    if (!declared(stage, filterExpression)) continue;
    tried++;
    const expected = documents.filter((one) => evaluateFilter(filterExpression, one.metadata)).map((one) => one.id);
    const actual = await stage.ids({ filterExpression });
    checkEqual(actual.toSorted(), expected.toSorted(), `documents for ${printFilter(filterExpression)}`);
  }
  if (tried === 0) notDeclared('none of the operators is declared');
}

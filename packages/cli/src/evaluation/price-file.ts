import type { PriceTable } from '@vernal/evaluation';
import { usageError } from '../usage-error.js';
import { namedText, parsedJson } from './named-text.js';

/** The table of `--prices`. */
export async function readPrices(path: string, cwd: string, signal: AbortSignal): Promise<PriceTable> {
  const value = parsedJson(await namedText(path, cwd, signal));
  if (isTable(value)) return value;
  throw usageError(`${path} is no table of prices: write { "model": { "input": 0.25, "output": 2 } }`, 'prices');
}

function isTable(value: unknown): value is PriceTable {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((price: unknown) => {
    if (typeof price !== 'object' || price === null) return false;
    const isPrice = (name: string, standard?: number): boolean => {
      const one: unknown = Reflect.get(price, name) ?? standard;
      return typeof one === 'number' && Number.isFinite(one) && one >= 0;
    };
    return isPrice('input') && isPrice('output') && isPrice('cacheRead', 0) && isPrice('cacheWrite', 0);
  });
}

import { Buffer } from 'node:buffer';
import query from '@zeit/cosmosdb-query';
import type { ContainerBody, Item } from './item-container.js';
import { Refusal } from './refusal.js';

const MOST_PAGE_BYTES = 4 * 1024 * 1024;
const STEP_BYTES = 300_000;
const STEP_ITEMS = 50;

export interface QueryRequest {
  readonly text: string;
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[];
  readonly maxItemCount: number;
  /** The last item that was looked at. */
  readonly continuation: number;
}

/** A page of results, and after which item the next one begins. */
export interface QueryPage {
  readonly results: readonly unknown[];
  readonly continuation: number | undefined;
}

/**
 * Runs a query. Its text is parsed and run by `@zeit/cosmosdb-query`, which knows the grammar of
 * https://learn.microsoft.com/azure/cosmos-db/nosql/query/ ; pages end where those of the service may.
 */
export function queryItems(body: ContainerBody, items: Iterable<Item>, request: QueryRequest): QueryPage {
  const { text, parameters, maxItemCount, continuation } = request;
  checkIndexed(body, text);
  const statement = parse(text);
  const left = [...items].filter(({ _rid }) => _rid > continuation).sort((a, b) => a._rid - b._rid);
  const results: unknown[] = [];
  let bytes = 0;
  let at = 0;
  while (at < left.length && results.length < maxItemCount) {
    const step = nextStep(left, at, maxItemCount - results.length);
    const found = statement.exec(step, { parameters }).result;
    const size = Buffer.byteLength(JSON.stringify(found));
    if (results.length > 0 && bytes + size > MOST_PAGE_BYTES) break;
    results.push(...found);
    bytes += size;
    at += step.length;
  }
  return { results, continuation: at < left.length ? left[at - 1]?._rid : undefined };
}

function nextStep(items: readonly Item[], start: number, most: number): Item[] {
  const step: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(start, start + Math.min(STEP_ITEMS, most))) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (step.length > 0 && bytes > STEP_BYTES) break;
    step.push(item);
  }
  return step;
}

const parsed = new Map<string, ReturnType<typeof query>>();

function parse(text: string): ReturnType<typeof query> {
  if (/\b(ORDER BY|OFFSET|GROUP BY|TOP|DISTINCT|COUNT|SUM|MAX|MIN)\b/i.test(text))
    throw new Error(`This server does not page such queries: ${text}`);
  try {
    const statement = parsed.get(text) ?? query(text);
    parsed.set(text, statement);
    return statement;
  } catch (error) {
    throw new Refusal(400, `Syntax error: ${error instanceof Error ? error.message : error}`);
  }
}

/** Without `x-ms-documentdb-query-enable-scan` a query that no index helps with is refused. */
function checkIndexed({ indexingPolicy }: ContainerBody, text: string): void {
  const where = text.slice(text.indexOf(' WHERE '));
  const excluded = new Set(indexingPolicy?.excludedPaths?.map(({ path }) => path.split('/')[1]));
  for (const [, property] of where.matchAll(/\bc\.(\w+)/g)) {
    if (excluded.has(property)) throw new Refusal(400, `No index on ${property}, and scans are not allowed.`);
  }
}

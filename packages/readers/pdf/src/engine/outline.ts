import type { PdfFile } from './pdf-file.js';
import { oneLine } from './pdf-info.js';

/** An entry of the outline that leads to a page of the file. */
export interface OutlineEntry {
  readonly title: string;
  /** Titles from the top down to this one. */
  readonly headings: readonly string[];
  /** 0 at the top. */
  readonly level: number;
  /** From 1. */
  readonly page: number;
  /** In the page's own coordinates, as far as the entry says. */
  readonly x: number | undefined;
  readonly y: number | undefined;
}

interface OutlineNode {
  readonly title?: unknown;
  readonly dest?: unknown;
  readonly items?: unknown;
}

const DEEPEST_LEVEL = 64;

/** In the order of the outline. Entries without a target, with one that is not there, and links to elsewhere are left out; what is below them stays. */
export async function outlineEntries(file: PdfFile, maxLevel: number): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const pages = new Map<string, number | undefined>();

  async function pageOf(target: unknown): Promise<number | undefined> {
    if (Number.isInteger(target)) return (target as number) + 1;
    if (!isReference(target)) return undefined;
    const key = `${target.num} ${target.gen}`;
    if (!pages.has(key)) {
      const index = await file.attempt(file.document.getPageIndex(target));
      pages.set(key, index === undefined ? undefined : index + 1);
    }
    return pages.get(key);
  }

  async function placeOf(destination: unknown): Promise<Pick<OutlineEntry, 'page' | 'x' | 'y'> | undefined> {
    const explicit =
      typeof destination === 'string' ? await file.attempt(file.document.getDestination(destination)) : destination;
    if (!Array.isArray(explicit)) return undefined;
    const page = await pageOf(explicit[0]);
    if (page === undefined || page < 1 || page > file.pageCount) return undefined;
    return { page, ...pointOf(explicit) };
  }

  async function collect(nodes: unknown, above: readonly string[]): Promise<void> {
    if (!Array.isArray(nodes) || above.length > maxLevel || above.length > DEEPEST_LEVEL) return;
    for (const { title, dest, items } of nodes as readonly OutlineNode[]) {
      const name = typeof title === 'string' ? oneLine(title) : '';
      const headings = [...above, name];
      const place = await placeOf(dest);
      if (place !== undefined) entries.push({ title: name, headings, level: above.length, ...place });
      await collect(items, headings);
    }
  }

  await collect(await file.attempt(file.document.getOutline()), []);
  return entries;
}

/** ISO 32000-2, table 149: kinds of destinations that say a place on their page. */
function pointOf([, kind, ...numbers]: readonly unknown[]): Pick<OutlineEntry, 'x' | 'y'> {
  const name = typeof kind === 'object' && kind !== null && 'name' in kind ? kind.name : undefined;
  const [first, second, , fourth] = numbers.map((value) => (typeof value === 'number' ? value : undefined));
  switch (name) {
    case 'XYZ':
      return { x: first, y: second };
    case 'FitH':
    case 'FitBH':
      return { x: undefined, y: first };
    case 'FitR':
      return { x: first, y: fourth };
    default:
      return { x: undefined, y: undefined };
  }
}

function isReference(value: unknown): value is { readonly num: number; readonly gen: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'num' in value &&
    'gen' in value &&
    Number.isInteger(value.num) &&
    Number.isInteger(value.gen)
  );
}

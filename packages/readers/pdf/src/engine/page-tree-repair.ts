/** A file whose list of pages can be walked to its end. */
export interface RepairedFile {
  readonly bytes: Uint8Array;
  /** Numbers of the objects that stand in the place of broken pages; as pages, they are empty. */
  readonly standIns: ReadonlySet<number>;
}

/** What is looked through as text. Larger files are left as they are. */
const MOST_BYTES = 67_108_864;
/** How far the entries of a page are looked at. */
const MOST_ENTRIES = 4_096;

interface FoundObject {
  readonly reference: string;
  readonly isDictionary: boolean;
  readonly isNode: boolean;
}

/**
 * pdf.js walks the list of pages up to the first one that is no page, and knows of none behind it. Here references to what is not there
 * are led to some other object, so that all other pages keep their places. Undefined where there is nothing to mend, or no way to: lists of
 * pages may be packed.
 */
export function repairedPageTree(bytes: Uint8Array): RepairedFile | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const text = new TextDecoder('latin1').decode(bytes);
  const objects = objectsOf(text);
  const kids = kidsOf(text);
  const broken = kids.filter(({ number }) => objects.get(number)?.isDictionary !== true);
  if (broken.length === 0 || broken.length === kids.length) return undefined;
  const listed = new Set(kids.map(({ number }) => number));
  const free = [...objects]
    .filter(([number, { isDictionary, isNode }]) => isDictionary && !isNode && !listed.has(number))
    .sort(([, one], [, other]) => one.reference.length - other.reference.length);
  const repaired = bytes.slice();
  const standIns = new Set<number>();
  for (const { at, length } of broken) {
    const [number, standIn] = free.shift() ?? [];
    if (number === undefined || standIn === undefined || standIn.reference.length > length) return undefined;
    repaired.set(new TextEncoder().encode(standIn.reference.padEnd(length)), at);
    standIns.add(number);
  }
  return { bytes: repaired, standIns };
}

function objectsOf(text: string): Map<number, FoundObject> {
  const objects = new Map<number, FoundObject>();
  for (const { 0: all, 1: number = '', 2: generation = '', 3: opening, index } of text.matchAll(
    /(?<!\d)(\d{1,10}) (\d{1,5}) obj\b\s*(<<)?/g,
  )) {
    const start = index + all.length;
    const end = text.indexOf('endobj', start);
    const entries = text.slice(start, Math.min(end < 0 ? text.length : end, start + MOST_ENTRIES));
    const known = objects.get(Number(number));
    objects.set(Number(number), {
      reference: `${number} ${generation} R`,
      isDictionary: opening !== undefined || known?.isDictionary === true,
      isNode: /\/Kids\b/.test(entries) || known?.isNode === true,
    });
  }
  return objects;
}

/** The references of all lists of pages, and where they stand. */
function kidsOf(text: string): { readonly number: number; readonly at: number; readonly length: number }[] {
  return [...text.matchAll(/\/Kids\s*\[([^\]]*)\]/g)].flatMap(({ 0: all, 1: list = '', index }) => {
    const start = index + all.length - 1 - list.length;
    return [...list.matchAll(/(\d+)\s+\d+\s+R/g)].map((reference) => ({
      number: Number(reference[1]),
      at: start + reference.index,
      length: reference[0].length,
    }));
  });
}

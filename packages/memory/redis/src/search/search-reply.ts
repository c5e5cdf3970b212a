/** A copy that the engine found. */
export interface FoundCopy {
  readonly copy: string;
  readonly createdAt: number;
}

/** Of FT.SEARCH with one returned field: RESP2 (a count, then key and fields), and RESP3 (named parts). */
export function foundCopies(reply: unknown): FoundCopy[] {
  if (!(Array.isArray(reply) && typeof reply[0] === 'number')) {
    return listOf(pairsOf(reply).get('results')).map((result) => {
      const hit = pairsOf(result);
      return foundCopy(hit.get('id'), hit.get('extra_attributes'));
    });
  }
  const found: FoundCopy[] = [];
  for (let at = 1; at + 1 < reply.length; at += 2) found.push(foundCopy(reply[at], reply[at + 1]));
  return found;
}

function foundCopy(copy: unknown, fields: unknown): FoundCopy {
  return { copy: String(copy), createdAt: Number(pairsOf(fields).get('createdAt')) };
}

/** Pairs of any protocol: a flat list (RESP2, and RESP3 as ioredis hands it out), a Map or an object. */
export function pairsOf(value: unknown): Map<string, unknown> {
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [String(name), item]));
  if (!Array.isArray(value)) return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const pairs = new Map<string, unknown>();
  for (let at = 0; at + 1 < value.length; at += 2) pairs.set(String(value[at]), value[at + 1]);
  return pairs;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A document that a search found. */
export interface FoundHash {
  readonly key: string;
  /** Of the ranking, with WITHSCORES. */
  readonly score: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** A reply of FT.SEARCH. */
export interface SearchReply {
  readonly found: readonly FoundHash[];
  /** How many there are, of which `found` is a page. */
  readonly total: number;
  /** What the engine says when it gave up early. */
  readonly warnings: readonly string[];
}

/** Pairs of any protocol: a flat list (RESP2, and RESP3 as ioredis hands it out), a Map or an object. */
export function pairsOf(value: unknown): Map<string, unknown> {
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [String(name), item]));
  if (Array.isArray(value)) {
    const pairs = new Map<string, unknown>();
    for (let at = 0; at + 1 < value.length; at += 2) pairs.set(String(value[at]), value[at + 1]);
    return pairs;
  }
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** Of RESP2 (a count, then key, score when wanted, fields) and of RESP3 (named parts). */
export function searchReply(reply: unknown, withScores: boolean): SearchReply {
  if (Array.isArray(reply) && typeof reply[0] === 'number')
    return { found: plainHits(reply, withScores), total: reply[0], warnings: [] };
  const parts = pairsOf(reply);
  const found = listOf(parts.get('results')).map((result) => {
    const hit = pairsOf(result);
    return hitOf(hit.get('id'), hit.get('score'), hit.get('extra_attributes'));
  });
  const total = Number(parts.get('total_results') ?? found.length);
  return { found, total, warnings: listOf(parts.get('warning')).map(String) };
}

function plainHits(reply: readonly unknown[], withScores: boolean): FoundHash[] {
  const found: FoundHash[] = [];
  const step = withScores ? 3 : 2;
  for (let at = 1; at + step <= reply.length; at += step)
    found.push(hitOf(reply[at], withScores ? reply[at + 1] : 0, reply[at + step - 1]));
  return found;
}

function hitOf(key: unknown, score: unknown, fields: unknown): FoundHash {
  const texts = [...pairsOf(fields)].map(([name, value]) => [name, String(value)] as const);
  return { key: String(key), score: Number(score ?? 0), fields: new Map(texts) };
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

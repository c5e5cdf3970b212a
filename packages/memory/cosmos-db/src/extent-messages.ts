import type { ConversationPartition } from './conversation-partition.js';
import type { ReadPlan } from './find-messages.js';
import type { FoundExtent, FoundRow } from './found-row.js';
import type { PartItem } from './stored-items.js';

/** The text of a query has a limit of its own. */
const EXTENTS_AT_ONCE = 25;

type FoundPart = Pick<PartItem, 'writer' | 'position' | 'part' | 'parts' | 'type' | 'message'>;

/** The messages of extents that are in the range, and system messages if they are asked for; one of which a piece is missing has no text. */
export async function extentMessages(
  partition: ConversationPartition,
  { after, to, asksSystems }: ReadPlan,
  extents: readonly FoundExtent[],
): Promise<readonly FoundRow[]> {
  const rows: FoundRow[] = [];
  for (let start = 0; start < extents.length; start += EXTENTS_AT_ONCE) {
    const some = extents.slice(start, start + EXTENTS_AT_ONCE);
    const parameters: Record<string, string | number> = {};
    const conditions = some.flatMap(({ id, fromSequence, toSequence }, index) => {
      parameters[`writer${index}`] = id;
      parameters[`from${index}`] = Math.max(after + 1, fromSequence) - fromSequence;
      parameters[`to${index}`] = Math.min(to, toSequence) - fromSequence;
      const inRange = `c.writer = @writer${index} AND c.position >= @from${index} AND c.position <= @to${index}`;
      return asksSystems ? [inRange, `c.writer = @writer${index} AND c.type = 'system'`] : [inRange];
    });
    const parts = await partition.query<FoundPart>(
      `SELECT c.writer, c.position, c.part, c.parts, c.type, c.message FROM c WHERE ${conditions.join(' OR ')}`,
      parameters,
    );
    const offsets = new Map(some.map(({ id, fromSequence }) => [id, fromSequence]));
    rows.push(...joined(parts, offsets));
  }
  return rows;
}

function* joined(parts: readonly FoundPart[], offsets: ReadonlyMap<string, number>): Iterable<FoundRow> {
  const messages = new Map<string, FoundPart[]>();
  for (const part of parts) {
    const name = `${part.writer} ${part.position}`;
    const pieces = messages.get(name) ?? [];
    pieces.push(part);
    messages.set(name, pieces);
  }
  for (const pieces of messages.values()) {
    pieces.sort((a, b) => a.part - b.part);
    for (const { writer, position, part, parts: all, type } of pieces.slice(0, 1)) {
      const isWhole = part === 0 && pieces.length === all;
      const message = isWhole ? pieces.map((piece) => piece.message).join('') : undefined;
      yield { sequence: (offsets.get(writer) ?? 0) + position, type, message };
    }
  }
}

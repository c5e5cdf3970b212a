/** Ids of the tool calls of one answer, in a row: `call_000000000000000000000001`, … */
export function callIds(prefix: 'call' | 'toolu'): () => string {
  let count = 0;
  return () => `${prefix}_${String(++count).padStart(24, '0')}`;
}

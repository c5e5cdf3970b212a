/** For a `bigint` of Cassandra: the driver takes text for it, whether it has a class of its own for them or gives those of JavaScript. */
export function longValue(value: number): string {
  return String(value);
}

/** Of a `bigint` that the driver gives, of either kind. 0 where there is none. */
export function numberOf(value: unknown): number {
  return isNothing(value) ? 0 : Number(String(value));
}

export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** An object whose members are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** An object as JSON knows it: not null, not a list. For reading what comes from elsewhere. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON has no undefined: such a member counts as absent. */
export function hasMember(value: JsonRecord, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

export function memberNames(value: JsonRecord): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

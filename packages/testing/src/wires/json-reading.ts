/** Reads JSON whose shape is not known: what is not there is undefined, {} or []. */

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The members whose value is neither undefined nor null. */
export function present(values: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** All members but those named. */
export function without(values: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

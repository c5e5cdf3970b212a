export type Engine =
  | { readonly url: string; readonly how: string; readonly version?: string }
  | { readonly reason: string };

/** Where an engine is, or why there is none. Throws in CI when there is none. */
export function engine(name: string): Engine;

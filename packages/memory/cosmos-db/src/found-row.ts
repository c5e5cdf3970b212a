/** A message as a query finds it. */
export interface FoundRow {
  readonly sequence: number;
  readonly type: string;
  /** Undefined where a piece of it is missing. */
  readonly message: unknown;
}

/** An extent as a query finds it. */
export interface FoundExtent {
  readonly id: string;
  readonly fromSequence: number;
  readonly toSequence: number;
}

/** Tells what a query that asks for both has found. */
export function isExtent(row: object): row is FoundExtent {
  return Reflect.get(row, 'kind') === 'extent';
}

/** Every level optional: what has arrived of `T` so far. Arrays grow; nothing ever shrinks. */
export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** What can be read from the beginning of a JSON text; undefined while there is nothing. */
export declare function parsePartialJson(text: string): unknown;

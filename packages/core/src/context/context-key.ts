/**
 * A string that remembers the type of the value under it. At run time it is the string and nothing else, so any string
 * is accepted where a key is wanted; then the value is `unknown`.
 */
export type ContextKey<T> = string & { readonly '~value'?: T };

/**
 * A name under which a value of type `T` travels in the context of a request. Keys of one name are the same key.
 *
 * @example
 * const TENANT = contextKey<string>('tenant');
 * client.prompt('hi').advisors((a) => a.param(TENANT, 'acme'));
 */
export function contextKey<T>(name: string): ContextKey<T> {
  return name;
}

/** The value under a typed key. Does not validate: whoever set the key was checked against the same type. */
export function contextValue<T>(values: Readonly<Record<string, unknown>>, key: ContextKey<T>): T | undefined {
  return Object.hasOwn(values, key) ? (values[key] as T) : undefined;
}

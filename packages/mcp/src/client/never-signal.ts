let shared: AbortSignal | undefined;

/** For handlers of what cannot be cancelled. */
export function neverSignal(): AbortSignal {
  shared ??= new AbortController().signal;
  return shared;
}

let shared: AbortSignal | undefined;

/**
 * One signal for all calls that have none. It takes no listeners: it never fires, and SDKs that forget to remove theirs would pile them
 * up on it for the life of the process.
 */
export function neverAborted(): AbortSignal {
  if (shared === undefined) {
    shared = new AbortController().signal;
    Object.defineProperty(shared, 'addEventListener', { value: () => {} });
  }
  return shared;
}

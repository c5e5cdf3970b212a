/** A signal that never fires and knows how many listeners are on it. */
export function countingSignal(): { readonly signal: AbortSignal; readonly count: () => number } {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.defineProperties(signal, {
    addEventListener: {
      value: (...[type, listener, options]: Parameters<typeof add>): void => {
        listeners.add(listener);
        add(type, listener, options);
      },
    },
    removeEventListener: {
      value: (...[type, listener, options]: Parameters<typeof remove>): void => {
        listeners.delete(listener);
        remove(type, listener, options);
      },
    },
  });
  return { signal, count: () => listeners.size };
}

interface Storage<T> {
  getStore(): T | undefined;
  run<R>(store: T, fn: () => R): R;
}

/** The observation that is running, if any. */
export type AmbientObservation<T> = Storage<T>;

interface BuiltinModules {
  readonly getBuiltinModule?: (name: string) => { readonly AsyncLocalStorage?: new () => unknown } | undefined;
}

function isStorage<T>(value: unknown): value is Storage<T> {
  return typeof value === 'object' && value !== null && 'getStore' in value && 'run' in value;
}

/**
 * Follows awaits where the runtime has AsyncLocalStorage. It is asked for at run time, so that browsers can load this file; without it,
 * only the part of `run` before its first await has a parent.
 */
export function ambientObservation<T>(): AmbientObservation<T> {
  const runtime: { readonly process?: BuiltinModules } = globalThis;
  const AsyncLocalStorage = runtime.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  const storage: unknown = AsyncLocalStorage === undefined ? undefined : new AsyncLocalStorage();
  if (isStorage<T>(storage)) return storage;
  let current: T | undefined;
  return {
    getStore: () => current,
    run(store, fn) {
      const before = current;
      current = store;
      try {
        return fn();
      } finally {
        current = before;
      }
    },
  };
}

interface Storage<T> {
  getStore(): T | undefined;
  run<R>(store: T, fn: () => R): R;
}

/** The observation that is running, if any. */
export type AmbientObservation<T> = Storage<T>;

/** What runs, of whom, and around it what runs of others. */
interface Running {
  readonly owner: object;
  readonly store: unknown;
  readonly outer: Running | undefined;
}

interface BuiltinModules {
  readonly getBuiltinModule?: (name: string) => { readonly AsyncLocalStorage?: new () => unknown } | undefined;
}

/** One for all: with each storage that was ever used, every promise of the process costs more. */
let shared: Storage<Running> | undefined;

/**
 * Follows awaits where the runtime has AsyncLocalStorage. It is asked for at run time, so that browsers can load this file; without it,
 * only the part of `run` before its first await has a parent.
 */
export function ambientObservation<T>(): AmbientObservation<T> {
  shared ??= asyncStorage() ?? plainStorage();
  const storage = shared;
  const owner = {};
  return {
    getStore() {
      let running = storage.getStore();
      while (running !== undefined && running.owner !== owner) running = running.outer;
      // What this owner put there is all that it finds.
      return running?.store as T | undefined;
    },
    run: (store, fn) => storage.run({ owner, store, outer: storage.getStore() }, fn),
  };
}

function asyncStorage(): Storage<Running> | undefined {
  const runtime: { readonly process?: BuiltinModules } = globalThis;
  const AsyncLocalStorage = runtime.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  const storage: unknown = AsyncLocalStorage === undefined ? undefined : new AsyncLocalStorage();
  return isStorage(storage) ? storage : undefined;
}

function isStorage(value: unknown): value is Storage<Running> {
  return typeof value === 'object' && value !== null && 'getStore' in value && 'run' in value;
}

function plainStorage(): Storage<Running> {
  let current: Running | undefined;
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

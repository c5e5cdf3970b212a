/** A thread as it is seen from outside, and by what it runs. */
export interface Thread {
  on(event: 'message', listener: (message: never) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** Loads a module at once. */
export interface Require {
  (name: string): unknown;
  resolve(name: string): string;
}

/** What is used of the modules of Node.js. */
interface Builtins {
  readonly 'node:module': { createRequire(from: string): Require };
  readonly 'node:path': { readonly sep: string; dirname(path: string): string; join(...parts: string[]): string };
  readonly 'node:worker_threads': {
    readonly Worker: new (file: URL, options: object) => Thread;
    readonly parentPort: Omit<Thread, 'terminate'> | null;
    readonly workerData: unknown;
  };
  readonly 'node:zlib': {
    inflateSync(packed: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array;
  };
}

/** A module of Node.js, undefined in a browser: without an import, so that bundlers for browsers need know nothing of it. */
export function builtin<K extends keyof Builtins>(name: K): Builtins[K] | undefined {
  const runtime: { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } } = globalThis;
  return runtime.process?.getBuiltinModule?.(name) as Builtins[K] | undefined;
}

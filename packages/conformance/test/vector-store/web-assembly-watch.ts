import { vi } from 'vitest';

interface WatchedMemory {
  readonly buffer: ArrayBuffer;
}

/** Sees what stores that are made from now on do with WebAssembly; `vi.unstubAllGlobals` ends it. */
export interface WebAssemblyWatch {
  readonly memories: readonly WatchedMemory[];
  /** Vectors that kernels scored, all numbers of them. */
  scored: number;
  /** Whether kernels throw. Default false. */
  fails: boolean;
}

type Kernel = (...given: number[]) => void;
type Kernels = Readonly<Record<'dot' | 'squaredDistance' | 'dotOf' | 'squaredDistanceOf' | 'codes', Kernel>>;

export function watchWebAssembly(): WebAssemblyWatch {
  const host = Reflect.get(globalThis, 'WebAssembly');
  const memories: WatchedMemory[] = [];
  const watch: WebAssemblyWatch = { memories, scored: 0, fails: false };
  const counted =
    (kernel: Kernel, countAt: number): Kernel =>
    (...given) => {
      if (watch.fails) throw new RangeError('no more memory');
      watch.scored += given[countAt] ?? 0;
      kernel(...given);
    };
  vi.stubGlobal('WebAssembly', {
    validate: host.validate,
    Module: host.Module,
    Memory: new Proxy(host.Memory, {
      construct(target, given): WatchedMemory {
        const memory: WatchedMemory = Reflect.construct(target, given);
        memories.push(memory);
        return memory;
      },
    }),
    Instance: new Proxy(host.Instance, {
      construct(target, given) {
        const { exports }: { readonly exports: Kernels } = Reflect.construct(target, given);
        return {
          exports: {
            dot: counted(exports.dot, 2),
            squaredDistance: counted(exports.squaredDistance, 2),
            dotOf: counted(exports.dotOf, 3),
            squaredDistanceOf: counted(exports.squaredDistanceOf, 3),
            codes: exports.codes,
          },
        };
      },
    }),
  });
  return watch;
}

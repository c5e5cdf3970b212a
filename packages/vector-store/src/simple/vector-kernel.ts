import { VECTOR_KERNEL } from './vector-kernel-wasm.js';

/** Inner product, or the square of the Euclidean distance. */
export type VectorSum = 'dot' | 'squaredDistance';

/** What WebAssembly gives the kernel to work on. */
export interface KernelMemory {
  /** Another one after each `grow`. */
  readonly buffer: ArrayBuffer;
  /** By pages of 64 KiB. Throws where no more can be had. */
  grow(pages: number): number;
}

/** All addresses in bytes; `indexes` is 0 for rows 0 to count - 1, or where their numbers stand. */
type KernelFunction = (
  query: number,
  rows: number,
  indexes: number,
  count: number,
  stride: number,
  out: number,
) => void;

export interface VectorKernel {
  readonly memory: KernelMemory;
  readonly dot: KernelFunction;
  readonly squaredDistance: KernelFunction;
}

/** As much of WebAssembly as is used: not every runtime has it, and not every compiler setting has its types. */
interface WebAssemblyHost {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { readonly initial: number }) => KernelMemory;
}

export const PAGE_BYTES = 65_536;

let compiled: object | undefined;

function moduleOf(host: WebAssemblyHost): object | undefined {
  if (compiled !== undefined) return compiled;
  const bytes = Uint8Array.from(atob(VECTOR_KERNEL), (character) => character.charCodeAt(0));
  if (!host.validate(bytes)) return undefined;
  compiled = new host.Module(bytes);
  return compiled;
}

function hostOf(): WebAssemblyHost | undefined {
  const host: unknown = Reflect.get(globalThis, 'WebAssembly');
  return typeof host === 'object' && host !== null ? (host as WebAssemblyHost) : undefined;
}

/**
 * The SIMD kernel with a memory of its own, or undefined where there is no WebAssembly, no SIMD, no permission to compile (a content
 * security policy), or no address space left. Then the loops of `plain-vector-sums.ts` do the same work.
 */
export function createVectorKernel(pages: number): VectorKernel | undefined {
  const host = hostOf();
  if (host === undefined) return undefined;
  try {
    const module = moduleOf(host);
    if (module === undefined) return undefined;
    const memory = new host.Memory({ initial: pages });
    const { dot, squaredDistance } = new host.Instance(module, { store: { memory } }).exports;
    return { memory, dot: dot as KernelFunction, squaredDistance: squaredDistance as KernelFunction };
  } catch {
    return undefined;
  }
}

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

/** Scores rows 0 to count - 1. All addresses are in bytes. */
type KernelFunction = (query: number, rows: number, count: number, stride: number, out: number) => void;

/** Scores the rows whose numbers stand at `indexes`; `count` is a multiple of four. */
type NamedKernelFunction = (
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
  readonly dotOf: NamedKernelFunction;
  readonly squaredDistanceOf: NamedKernelFunction;
  /** Whole numbers: int16 by int8. */
  readonly codes: KernelFunction;
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
    // What tools/vector-kernel.wat exports.
    const functions = new host.Instance(module, { store: { memory } }).exports as unknown as Omit<
      VectorKernel,
      'memory'
    >;
    const { dot, squaredDistance, dotOf, squaredDistanceOf, codes } = functions;
    return { memory, dot, squaredDistance, dotOf, squaredDistanceOf, codes };
  } catch {
    return undefined;
  }
}

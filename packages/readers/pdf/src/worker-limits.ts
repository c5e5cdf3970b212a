import { builtin } from './engine/builtin.js';

/** What is still allowed of a page that is refused already: pdf.js tries again by other ways. */
const AFTER_REFUSAL = 1_048_576;

let wasRefused = false;

/** Whether a buffer was refused since this was asked last. */
export function bufferWasRefused(): boolean {
  const refused = wasRefused;
  wasRefused = false;
  return refused;
}

function refuse(): never {
  wasRefused = true;
  throw new RangeError('The stream unpacks to too many bytes');
}

/**
 * Refuses buffers of more than so many bytes, for all of this thread. A few bytes of a hostile file unpack to any number, and buffers are
 * outside of the heap whose size a thread can be given. pdf.js takes the refusal for damage of the page.
 */
export function limitBuffers(maxBytes: number): void {
  const Native = globalThis.Uint8Array;
  // Without rest parameters: pdf.js makes many small buffers.
  const Limited = function LimitedBytes(this: unknown, first: never, offset?: number, length?: number): Uint8Array {
    if (typeof first === 'number' && first > (wasRefused ? AFTER_REFUSAL : maxBytes)) refuse();
    if (new.target !== Limited) return Reflect.construct(Native, [first, offset, length], new.target as never);
    return offset === undefined ? new Native(first) : new Native(first, offset, length);
  };
  Object.setPrototypeOf(Limited, Object.getPrototypeOf(Native));
  for (const key of Reflect.ownKeys(Native)) {
    if (key === 'name' || key === 'length') continue;
    Object.defineProperty(Limited, key, Object.getOwnPropertyDescriptor(Native, key) as PropertyDescriptor);
  }
  Object.assign(globalThis, { Uint8Array: Limited, DecompressionStream: inflaterOf(maxBytes) });
}

/**
 * What pdf.js unpacks with, in one step: the thread has nothing else to do meanwhile, and a stream costs more than the unpacking. What
 * cannot be unpacked whole, pdf.js then reads by itself as far as it goes.
 */
function inflaterOf(maxBytes: number): object {
  const zlib = builtin('node:zlib');
  return class {
    #packed: Uint8Array | undefined;

    constructor(format: string) {
      if (format !== 'deflate' || zlib === undefined) throw new TypeError(`no ${format} here`);
    }

    readonly writable: object = {
      getWriter: () => ({
        ready: Promise.resolve(),
        write: async (bytes: Uint8Array) => {
          this.#packed = bytes;
        },
        close: async () => undefined,
      }),
    };

    readonly readable: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => this.#unpacked(),
    };

    async *#unpacked(): AsyncGenerator<Uint8Array> {
      if (zlib === undefined || this.#packed === undefined) return;
      try {
        yield zlib.inflateSync(this.#packed, { maxOutputLength: maxBytes });
      } catch (error) {
        if (error instanceof RangeError) refuse();
        throw error;
      }
    }
  };
}

import { throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import { invalidArgument } from '../errors/invalid-argument.js';

/** Bytes from somewhere. Reading is asynchronous everywhere; a resource can be read more than once. */
export interface Resource {
  readonly uri?: string;
  readonly filename?: string;
  /** Declared, not sniffed. */
  readonly mimeType?: string;
  bytes(context?: CallContext): Promise<Uint8Array>;
  stream?(context?: CallContext): AsyncIterable<Uint8Array>;
}

/** A place to write to. `write` lands whole or not at all. */
export interface WritableResource extends Resource {
  write(content: Uint8Array | AsyncIterable<Uint8Array>, context?: CallContext): Promise<void>;
}

export interface ResourceOptions {
  readonly uri?: string | undefined;
  readonly filename?: string | undefined;
  readonly mimeType?: string | undefined;
}

/**
 * Bytes at hand. Text is stored as UTF-8; bytes are kept as they are given, not copied.
 *
 * @example
 * const resource = bytesResource('You are {name}.', { filename: 'system.txt', mimeType: 'text/plain' });
 */
export function bytesResource(content: Uint8Array | string, options?: ResourceOptions): Resource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  if (!(bytes instanceof Uint8Array)) throw invalidArgument('content', 'must be text or a Uint8Array');
  return {
    ...(options?.uri === undefined ? undefined : { uri: options.uri }),
    ...(options?.filename === undefined ? undefined : { filename: options.filename }),
    ...(options?.mimeType === undefined ? undefined : { mimeType: options.mimeType }),
    async bytes(context) {
      throwIfAborted(context?.signal);
      return bytes;
    },
  };
}

/**
 * Decodes a resource. A byte order mark is honoured and removed; it outweighs `encoding`, which outweighs the charset of the resource's
 * MIME type. Default 'utf-8'. Bytes that are none become U+FFFD. Throws `invalid_argument` for an encoding the platform does not know.
 */
export async function readText(
  resource: Resource,
  options?: CallContext & { readonly encoding?: string | undefined },
): Promise<string> {
  const bytes = await resource.bytes(options);
  const encoding = encodingOfMark(bytes) ?? options?.encoding ?? charsetOf(resource.mimeType) ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch (cause) {
    throw invalidArgument('encoding', "is not known here; give a WHATWG label such as 'utf-8' or 'gb18030'", cause);
  }
}

function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function charsetOf(mimeType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mimeType ?? '')?.[1];
}

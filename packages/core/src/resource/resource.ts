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

/**
 * What readers learn about bytes that have no name of their own: `uri` and `filename` become metadata, `mimeType`
 * decides how they are read.
 */
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

import { throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import { VernalError } from '../errors/vernal-error.js';
import type { Resource } from './resource.js';
import { resourceName } from './resource-name.js';

/**
 * The bytes of a resource as they come where it streams, else all at once; no piece is empty. Leaving the loop closes the resource.
 *
 * @throws VernalError `resource` with `details.reason` 'not_bytes' for a resource that gives something else; `aborted` or `timeout` by the
 * signal; what the resource throws
 *
 * @example
 * let length = 0;
 * for await (const piece of resourcePieces(resource, { signal })) length += piece.length;
 */
export async function* resourcePieces(resource: Resource, context?: CallContext): AsyncGenerator<Uint8Array> {
  throwIfAborted(context?.signal);
  const pieces: unknown = resource.stream ? resource.stream(context) : [await resource.bytes(context)];
  if (!isIterable(pieces)) throw notBytes(pieces, resource);
  for await (const piece of pieces) {
    throwIfAborted(context?.signal);
    requireBytes(piece, resource);
    if (piece.length > 0) yield piece;
  }
}

/** @throws VernalError `resource` with `details.reason` 'not_bytes' */
export function requireBytes(value: unknown, resource: Resource): asserts value is Uint8Array {
  // By its tag, for there are as many classes of that name as there are realms.
  if (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]') return;
  throw notBytes(value, resource);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}

function notBytes(value: unknown, resource: Resource): VernalError {
  const type = typeof value === 'string' ? 'text' : value === null ? 'null' : typeof value;
  const name = resourceName(resource);
  return new VernalError(
    `${name} gives ${type} where bytes belong: bytes() must give a Uint8Array, stream() an iterable of them; text becomes a resource by bytesResource`,
    { code: 'resource', subject: name, details: { reason: 'not_bytes', type } },
  );
}

import type { CallContext, Resource } from '@vernal/core';
import { throwIfAborted } from '@vernal/core';
import { charsetOfMimeType, encodingOfMark, requireText, strictDecoder, undecodable } from './decode-text.js';
import { resourceName } from './resource-name.js';

/** The text of a resource as it comes, decoded as `decodeText` does. Streams where the resource does. */
export async function* textChunks(resource: Resource, context: CallContext | undefined): AsyncGenerator<string> {
  const name = resourceName(resource);
  let decoder: ReturnType<typeof strictDecoder> | undefined;
  const decode = (bytes: Uint8Array, stream: boolean): string => {
    decoder ??= strictDecoder(encodingOfMark(bytes) ?? charsetOfMimeType(resource.mimeType) ?? 'utf-8');
    let text: string;
    try {
      text = decoder.decode(bytes, { stream });
    } catch {
      throw undecodable(name, decoder.encoding);
    }
    requireText(name, text);
    return text;
  };
  if (resource.stream === undefined) {
    yield decode(await resource.bytes(context), true);
    yield decode(new Uint8Array(), false);
    return;
  }
  // A byte order mark may come in pieces.
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of resource.stream(context)) {
    throwIfAborted(context?.signal);
    if (head === undefined) {
      yield decode(chunk, true);
    } else {
      head = joined(head, chunk);
      if (head.length < 3) continue;
      yield decode(head, true);
      head = undefined;
    }
  }
  yield decode(head ?? new Uint8Array(), false);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/**
 * The bytes of a response as they come. Leaving the loop cancels the body, which closes the connection. A body is iterated where it can
 * be: some transports make that cheaper than a reader; not every platform has it.
 */
export function bodyChunks(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  return body !== null && isIterable(body) ? { [Symbol.asyncIterator]: () => leavable(body) } : readChunks(body);
}

/** A body whose request was aborted meanwhile cannot be cancelled any more; whoever leaves does not care. */
function leavable(body: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  const left = { done: true, value: undefined } as const;
  return {
    next: () => source.next(),
    return: async () => (await source.return?.().catch(() => left)) ?? left,
  };
}

async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (value === undefined) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

function isIterable(body: object): body is AsyncIterable<Uint8Array> {
  return typeof Reflect.get(body, Symbol.asyncIterator) === 'function';
}

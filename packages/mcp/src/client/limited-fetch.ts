import type { FetchLike } from '@modelcontextprotocol/client';
import { VernalError } from '@vernal/core';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A fetch whose answers are read no further than `maxBytes`: of a whole body, and of each event of an event stream. What a server
 * sends is held in memory until it is parsed, so an endless answer would take the host down.
 */
export function limitedFetch(
  maxBytes: number,
  onTooLarge: (error: VernalError) => void,
  inner: FetchLike = fetch,
): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const refuse = (): VernalError => {
      const error = new VernalError(
        `The server sent a message of more than ${maxBytes} bytes: raise \`maxMessageBytes\``,
        {
          code: 'mcp_response',
          subject: 'maxMessageBytes',
        },
      );
      onTooLarge(error);
      return error;
    };
    const announced = isStream ? null : response.headers.get('content-length');
    if (announced !== null && Number(announced) > maxBytes) {
      await response.body.cancel();
      throw refuse();
    }
    // The platform holds a server to the length that it announced; a compressed body is longer than that.
    if (announced !== null && !response.headers.has('content-encoding')) return response;
    const body = response.body.pipeThrough(counted(maxBytes, isStream, refuse));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function counted(
  maxBytes: number,
  isStream: boolean,
  refuse: () => VernalError,
): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lineIsEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      if (!isStream) size += chunk.length;
      else {
        // An empty line ends an event.
        let from = 0;
        for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
          const empty = at === from ? lineIsEmpty : at === from + 1 && lineIsEmpty && chunk[from] === CARRIAGE_RETURN;
          size = empty ? 0 : size + at + 1 - from;
          if (size > maxBytes) throw refuse();
          from = at + 1;
          lineIsEmpty = true;
        }
        if (from < chunk.length) lineIsEmpty = false;
        size += chunk.length - from;
      }
      if (size > maxBytes) throw refuse();
      controller.enqueue(chunk);
    },
  });
}

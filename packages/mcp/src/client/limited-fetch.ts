import type { FetchLike } from '@modelcontextprotocol/client';
import { VernalError } from '@vernal/core';
import { follow } from './signal-followers.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A fetch whose answers are read no further than `maxBytes`: of a whole body, and of each event of an event stream. What a server
 * sends is held in memory until it is parsed, so an endless answer would take the host down.
 *
 * Each request has a signal of its own. The official transport gives all of them one, and Node.js leaves a listener on it for each
 * until memory is cleaned up: a warning after 1,500.
 */
export function limitedFetch(
  maxBytes: number,
  onTooLarge: (error: VernalError) => void,
  inner: FetchLike = fetch,
): FetchLike {
  return async (url, init) => {
    const own = new AbortController();
    const done = follow(own, init?.signal ?? undefined);
    const refuse = (): VernalError => {
      const error = new VernalError(
        `The server sent a message of more than ${maxBytes} bytes: raise \`maxMessageBytes\``,
        { code: 'mcp_response', subject: 'maxMessageBytes' },
      );
      onTooLarge(error);
      own.abort(error);
      return error;
    };
    try {
      const response = await inner(url, { ...init, signal: own.signal });
      const { body, status, statusText, headers } = response;
      if (body === null) {
        done();
        return response;
      }
      const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
      if (!isStream && Number(headers.get('content-length')) > maxBytes) throw refuse();
      const count = isStream ? eventCounter(maxBytes) : byteCounter(maxBytes);
      return new Response(counted(body, count, refuse, done), { status, statusText, headers });
    } catch (error) {
      done();
      throw error;
    }
  };
}

/** False once there is too much. */
type Count = (chunk: Uint8Array) => boolean;

function counted(
  body: ReadableStream<Uint8Array>,
  count: Count,
  refuse: () => VernalError,
  done: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const part = await reader.read();
          if (part.done) {
            done();
            controller.close();
          } else if (count(part.value)) controller.enqueue(part.value);
          else throw refuse();
        } catch (error) {
          done();
          controller.error(error);
        }
      },
      async cancel(reason) {
        done();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function byteCounter(maxBytes: number): Count {
  let size = 0;
  return (chunk) => {
    size += chunk.length;
    return size <= maxBytes;
  };
}

/**
 * Counts each event anew: an empty line ends one. The CR of a line end may come in another chunk than its LF. A CR alone ends no line here:
 * the official parser keeps in memory what comes behind one.
 */
function eventCounter(maxBytes: number): Count {
  let size = 0;
  let line: 'empty' | 'return' | 'text' = 'empty';
  return (chunk) => {
    let from = 0;
    const readTo = (to: number): void => {
      if (to > from) line = line === 'empty' && to === from + 1 && chunk[from] === CARRIAGE_RETURN ? 'return' : 'text';
    };
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      readTo(at);
      size += at + 1 - from;
      if (size > maxBytes) return false;
      if (line !== 'text') size = 0;
      line = 'empty';
      from = at + 1;
    }
    readTo(chunk.length);
    size += chunk.length - from;
    return size <= maxBytes;
  };
}

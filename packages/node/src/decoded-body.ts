import type { IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** As `fetch` decodes: pieces come out as they were flushed, and an end that was cut off by a byte or two is one. */
const SYNC = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI_SYNC = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
};

function decoderOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(SYNC);
    case 'deflate':
      return createInflate(SYNC);
    case 'br':
      return createBrotliDecompress(BROTLI_SYNC);
    default:
      return undefined;
  }
}

/** The bytes that the server meant. A body with an encoding that is not known stays as it is. */
export function decodedBody(message: IncomingMessage): IncomingMessage | Transform {
  const encodings = (message.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length === 0) return message;
  // What was put on last comes off first.
  const decoders = encodings.reverse().map(decoderOf);
  if (decoders.length > MOST_ENCODINGS || !decoders.every((decoder) => decoder !== undefined)) return message;
  let body: IncomingMessage | Transform = message;
  for (const decoder of decoders) {
    // A fault of one destroys both; whoever reads the last one is told.
    body = pipeline(body, decoder, () => undefined);
  }
  return body;
}

/** More than a few are an attack. */
const MOST_ENCODINGS = 5;

import { isJsonContentType } from '@modelcontextprotocol/server';
import { bodyChunks, joinBytes } from '@vernal/core';
import { PARSE_ERROR_CODE, REFUSED_CODE, rpcError } from './rpc-response.js';

/** The JSON of a POST, read once and no further than allowed, or the answer that refuses it. */
export async function requestBody(
  request: Request,
  maxBytes: number,
): Promise<{ readonly json: unknown } | { readonly refused: Response }> {
  if (!isJsonContentType(request.headers.get('content-type')))
    return { refused: rpcError(415, REFUSED_CODE, 'Unsupported Media Type: Content-Type must be application/json') };
  const announced = Number(request.headers.get('content-length') ?? Number.NaN);
  if (announced > maxBytes) return { refused: tooLarge(maxBytes) };
  try {
    // A length that was announced need not be true: what is read counts.
    const text = await countedText(request, maxBytes);
    if (text === undefined) return { refused: tooLarge(maxBytes) };
    return { json: JSON.parse(text) };
  } catch {
    return { refused: rpcError(400, PARSE_ERROR_CODE, 'Parse error: the body is not JSON') };
  }
}

/** Undefined: more than allowed, and the rest is not read. */
async function countedText(request: Request, maxBytes: number): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bodyChunks(request.body)) {
    size += piece.byteLength;
    if (size > maxBytes) return undefined;
    pieces.push(piece);
  }
  return new TextDecoder().decode(joinBytes(pieces));
}

function tooLarge(maxBytes: number): Response {
  return rpcError(413, REFUSED_CODE, `Payload Too Large: at most ${maxBytes} bytes`, { connection: 'close' });
}

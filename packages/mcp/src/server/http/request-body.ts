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
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return { refused: tooLarge(maxBytes) };
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of bodyChunks(request.body)) {
      size += piece.byteLength;
      if (size > maxBytes) return { refused: tooLarge(maxBytes) };
      pieces.push(piece);
    }
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(joinBytes(pieces))) };
  } catch {
    return { refused: rpcError(400, PARSE_ERROR_CODE, 'Parse error: the body is not JSON') };
  }
}

function tooLarge(maxBytes: number): Response {
  return rpcError(413, REFUSED_CODE, `Payload Too Large: at most ${maxBytes} bytes`, { connection: 'close' });
}

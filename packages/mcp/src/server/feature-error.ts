import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { VernalError } from '@vernal/core';

/** What is told when something other than a tool failed: the words of a `VernalError`, else only what kind of error it was. */
export function featureError(error: unknown, what: string): ProtocolError {
  const protocol = protocolErrorIn(error);
  if (protocol !== undefined) return protocol;
  if (VernalError.is(error))
    return new ProtocolError(ProtocolErrorCode.InternalError, `${what} failed: ${error.message}`);
  const kind = error instanceof Error && error.name !== '' ? ` (${error.name})` : '';
  return new ProtocolError(ProtocolErrorCode.InternalError, `${what} failed${kind}`);
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** A protocol error is meant for the client: it goes out as it is, also from under what wrapped it. */
export function protocolErrorIn(error: unknown): ProtocolError | undefined {
  let link: unknown = error;
  for (let depth = 0; depth < 8 && link instanceof Error; depth++) {
    if (ProtocolError.isInstance(link)) return link;
    link = link.cause;
  }
  return undefined;
}

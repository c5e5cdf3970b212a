/** An answer to a request that no JSON-RPC handler gets to see. */
export function rpcError(status: number, code: number, message: string, headers?: Record<string, string>): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code, message }, id: null },
    { status, ...(headers === undefined ? undefined : { headers }) },
  );
}

/** A body that is no JSON. */
export const PARSE_ERROR_CODE = -32_700;
/** Refused by the server for reasons of its own. */
export const REFUSED_CODE = -32_000;
/** The session is not there, or not this caller's: the client starts a new one. */
export const NO_SESSION_CODE = -32_001;

/** The handler, or the server, was closed. */
export function closedResponse(): Response {
  return rpcError(503, REFUSED_CODE, 'The server is closed');
}

/** As many clients as may be are there already. */
export function fullResponse(): Response {
  return rpcError(503, REFUSED_CODE, 'Too many sessions: try again later', { 'retry-after': '30' });
}

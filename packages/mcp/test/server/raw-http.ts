import type { McpHttpHandler } from '@vernal/mcp';

export const PROTOCOL = '2025-11-25';

/** The first message of a client. */
export function initialize(protocolVersion = PROTOCOL): object {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

/** A request as a client sends it, without a network. */
export function request(
  method: string,
  headers: Record<string, string> = {},
  body?: unknown,
  url = 'http://localhost/mcp',
): Request {
  return new Request(url, {
    method,
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL,
      ...headers,
    },
    ...(body === undefined ? undefined : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** A session, as the header that names it. */
export async function startSession(
  handler: McpHttpHandler,
  headers: Record<string, string> = {},
): Promise<{ 'mcp-session-id': string }> {
  const response = await handler.fetch(request('POST', headers, initialize()));
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

/** What a stream says up to a text, or to its end; the rest is not read. */
export async function readUntil({ body }: Response, text: string): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  while (!read.includes(text)) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    read += next.value;
  }
  await reader?.cancel();
  return read;
}

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isJSONRPCRequest } from '@modelcontextprotocol/client';

/** Marks the answer that is made up for a request whose stream ended without one; told by identity, so no server can send it. */
export const STREAM_ENDED: object = Object.freeze({ reason: 'the stream of the answer ended' });

/**
 * Send options that answer a request when its stream has ended. The official transport leaves it waiting until its time-out: after
 * the server was killed, that would be as long as a tool may take.
 */
export function endWithStream<O extends { onRequestStreamEnd?: () => void }>(
  message: JSONRPCMessage | JSONRPCMessage[],
  options: O | undefined,
  answer: (message: JSONRPCMessage) => void,
): O | Pick<O, 'onRequestStreamEnd'> | undefined {
  if (Array.isArray(message) || !isJSONRPCRequest(message)) return options;
  return {
    ...options,
    onRequestStreamEnd: () => {
      options?.onRequestStreamEnd?.();
      answer({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32_000, message: 'Connection closed', data: STREAM_ENDED },
      });
    },
  };
}

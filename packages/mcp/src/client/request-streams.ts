import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/client';

interface WithSignal {
  requestSignal: AbortSignal;
}

/**
 * Ends the stream of a request that was given up. The official transport leaves it open until the connection closes, with its socket, and a
 * server without sessions would never hear that nobody waits any more.
 */
export class RequestStreams {
  readonly #open = new Map<RequestId, AbortController>();

  /** Send options with a signal for this request; those of newer revisions have one already. */
  begin<O extends object>(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: O | undefined,
  ): O | (O & WithSignal) | WithSignal | undefined {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return options;
    if (options !== undefined && Reflect.get(options, 'requestSignal') !== undefined) return options;
    const stream = new AbortController();
    this.#open.set(message.id, stream);
    return { ...options, requestSignal: stream.signal };
  }

  /** Its answer has come, or it could not be sent. */
  end(id: RequestId): void {
    this.#open.delete(id);
  }

  /** Ends that of a request which this message takes back. */
  giveUp(message: JSONRPCMessage | JSONRPCMessage[]): void {
    if (Array.isArray(message) || !isJSONRPCNotification(message) || message.method !== 'notifications/cancelled')
      return;
    const id = message.params?.['requestId'];
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}

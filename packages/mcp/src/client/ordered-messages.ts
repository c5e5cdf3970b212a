import type { JSONRPCMessage, MessageExtraInfo, RequestId, Transport } from '@modelcontextprotocol/client';

/** A transport that is told which of its requests were answered. */
export interface HearsAnswers {
  answered(id: RequestId): void;
}

type OnMessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

/**
 * Lets an answer wait until what came before it was heard. The official client hears notifications one microtask later than answers, so
 * the progress of a tool that came in one piece with its answer would be lost.
 */
export function inOrder<T extends Transport>(transport: T): T {
  let listener: OnMessage | undefined;
  const deliver: OnMessage = (message, extra) => {
    const heard = listener;
    // Requests and notifications name a method, answers do not.
    if ('method' in message) {
      heard?.(message, extra);
      return;
    }
    if (message.id !== undefined && hearsAnswers(transport)) transport.answered(message.id);
    queueMicrotask(() => {
      try {
        heard?.(message, extra);
      } catch (error) {
        // Behind a microtask there is nobody else to catch it.
        transport.onerror?.(error instanceof Error ? error : new Error('An answer could not be heard'));
      }
    });
  };
  return Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => (listener === undefined ? undefined : deliver),
    set: (next: OnMessage | undefined) => {
      listener = next;
    },
  });
}

function hearsAnswers(transport: object): transport is HearsAnswers {
  return typeof Reflect.get(transport, 'answered') === 'function';
}

import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import { VernalError } from '@vernal/core';

const encoder = new TextEncoder();

/** The server's side of the deprecated SSE transport: one stream out, messages in by other requests. */
export class SseServerTransport implements Transport {
  readonly sessionId: string = crypto.randomUUID();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #messagePath: string;
  readonly #keepAliveMs: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(messagePath: string, keepAliveMs: number) {
    this.#messagePath = messagePath;
    this.#keepAliveMs = keepAliveMs;
  }

  /** The answer to the request that opens the stream; its first event says where messages go. */
  open(): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        this.#write(`event: endpoint\ndata: ${this.#messagePath}?sessionId=${this.sessionId}\n\n`);
        if (this.#keepAliveMs > 0) this.#timer = setInterval(() => this.#write(': alive\n\n'), this.#keepAliveMs);
      },
      cancel: () => this.#end(),
    });
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
    });
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#controller === undefined)
      throw new VernalError('The client has closed its stream', { code: 'invalid_state', subject: 'sse' });
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    const controller = this.#controller;
    this.#end();
    try {
      controller?.close();
    } catch {
      // The client was faster.
    }
  }

  #write(text: string): void {
    try {
      this.#controller?.enqueue(encoder.encode(text));
    } catch {
      this.#end();
    }
  }

  #end(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    clearInterval(this.#timer);
    this.onclose?.();
  }
}

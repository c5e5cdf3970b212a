import type { Gate } from './gate.js';

/** How the bytes between two instructions are cut: `each` so many bytes, or `at` these offsets. Every piece is a write of its own. */
export type ByteSplit = { readonly each: number } | { readonly at: readonly number[] };

/** One server-sent event. `data` that is not a string is written as JSON. */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: unknown;
}

/**
 * What a body is made of. Text is UTF-8. `hold` waits for a gate. `end` stops there, whatever comes after it: 'close' ends the body as
 * HTTP wants it, 'cut' closes the connection in the middle of the body, 'reset' breaks it (RST), and 'hang' sends nothing more until the
 * client leaves or the server is closed.
 */
export type BodyPart =
  | string
  | Uint8Array
  | SseEvent
  | { readonly hold: Gate }
  | { readonly end: 'close' | 'cut' | 'reset' | 'hang' };

/** A whole answer as JSON. */
export interface JsonReply {
  /** Default 200. */
  readonly status?: number | undefined;
  /** Over `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly json: unknown;
  /** Waits before the headers. */
  readonly hold?: Gate | undefined;
}

/** An answer in parts. */
export interface PartsReply {
  /** Default 200. */
  readonly status?: number | undefined;
  /** Default `content-type: text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly parts: readonly BodyPart[];
  readonly split?: ByteSplit | undefined;
  /** Waits before the headers. */
  readonly hold?: Gate | undefined;
}

/** No answer: the connection is closed before the headers. */
export interface DropReply {
  readonly drop: true;
  readonly hold?: Gate | undefined;
}

/** What the server does with one request. */
export type MockReply = JsonReply | PartsReply | DropReply;

/** A request as it came. */
export interface MockRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case; a repeated header is joined by ', '. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** `text` parsed as JSON; undefined when it is not JSON. */
  readonly json: unknown;
}

/** One request's answer, or what makes it. */
export type MockExchange = MockReply | ((request: MockRequest, position: number) => MockReply | Promise<MockReply>);

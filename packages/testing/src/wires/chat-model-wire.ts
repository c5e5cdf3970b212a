import type { FinishReason, Message } from '@vernal/core';
import type { ScriptStep } from '../doubles/script-step.js';

/** An answer as it comes over HTTP. A `PartsReply` of the mock server as it is. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is UTF-8. In a stream, one part an event. */
  readonly parts: readonly (string | Uint8Array)[];
}

/** What may go wrong at a provider. 'mid-stream': an error after the answer has begun. */
export type WireErrorKind = 'authentication' | 'rate-limit' | 'overloaded' | 'bad-request' | 'not-found' | 'mid-stream';

/** What a model sent, in neutral terms. */
export interface WireRequest {
  /** A system prompt that the provider keeps apart comes first. */
  readonly messages: readonly Message[];
  /** Portable options under their portable names, anything else under the provider's. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
}

/**
 * How a provider speaks, so that the suite can answer as its server would. Written from its documentation, page named in each file.
 * A step is one of the answers the request asked for (`n`); a provider that knows only one takes only one. Of a step the delays are not
 * played, and one with an `error` or given as a function is `invalid_argument`.
 */
export interface ChatModelWire {
  /** The provider's whole answer, as it comes over HTTP. */
  call(steps: readonly ScriptStep[]): WireReply;
  /** The same as a stream; `parts` are cut anew by the suite, at every byte. */
  stream(steps: readonly ScriptStep[]): WireReply;
  /** Status and body of a failure of this kind. 'mid-stream' is a stream that fails after the text 'partial'. */
  error(kind: WireErrorKind): WireReply;
  /** The request body that the model sent, in neutral terms, for checks that options arrive. */
  request(body: unknown): WireRequest;
  /** Does a request ask for a stream? */
  isStream(request: { readonly path: string; readonly json: unknown }): boolean;
  /** The provider's own word for a finish reason; undefined when it has none. Left out: the mapping is not checked. */
  nativeFinishReason?(reason: FinishReason): string | undefined;
}

/** A key that the error bodies repeat, as real ones do. It must not be found in any error that a model throws. */
export const WIRE_SECRET = 'sk-vernal-wire-secret-0123456789';

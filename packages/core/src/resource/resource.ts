import type { CallContext } from '../context/call-context.js';

/** Bytes from somewhere. Reading is asynchronous everywhere; a resource can be read more than once. */
export interface Resource {
  readonly uri?: string;
  readonly filename?: string;
  /** Declared, not sniffed. */
  readonly mimeType?: string;
  bytes(context?: CallContext): Promise<Uint8Array>;
  stream?(context?: CallContext): AsyncIterable<Uint8Array>;
}

/** A place to write to. `write` lands whole or not at all. */
export interface WritableResource extends Resource {
  write(content: Uint8Array | AsyncIterable<Uint8Array>, context?: CallContext): Promise<void>;
}

export interface ResourceOptions {
  readonly uri?: string | undefined;
  readonly filename?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Text is stored as UTF-8. */
export declare function bytesResource(content: Uint8Array | string, options?: ResourceOptions): Resource;

/** Decodes a resource. A byte order mark is honoured and removed. Default encoding 'utf-8'. */
export declare function readText(
  resource: Resource,
  options?: CallContext & { readonly encoding?: string | undefined },
): Promise<string>;

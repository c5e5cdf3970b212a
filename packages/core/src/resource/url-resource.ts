import type { Resource, ResourceOptions } from './resource.js';

export interface UrlResourceOptions extends ResourceOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes. Default 52,428,800. */
  readonly maxBytes?: number | undefined;
  /** Private, loopback and link-local addresses are refused, redirects included, unless true. Default false. */
  readonly allowPrivateAddresses?: boolean | undefined;
}

export declare function urlResource(url: string | URL, options?: UrlResourceOptions): Resource;

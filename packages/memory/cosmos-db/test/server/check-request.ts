import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './refusal.js';

export interface SignedRequest {
  readonly method: string;
  /** Decoded, without what follows a question mark. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Refuses a request without the headers that every request needs, or whose signature is not that of the key. Sources:
 * https://learn.microsoft.com/rest/api/cosmos-db/common-cosmosdb-rest-request-headers and
 * https://learn.microsoft.com/rest/api/cosmos-db/access-control-on-cosmosdb-resources
 */
export function checkRequest({ method, path, headers }: SignedRequest, key: string): void {
  const date = headers['x-ms-date'];
  if (typeof headers['x-ms-version'] !== 'string') throw new Refusal(400, 'x-ms-version is missing.');
  if (typeof date !== 'string' || Number.isNaN(Date.parse(date))) throw new Refusal(401, 'x-ms-date is missing.');
  const authorization = decodeURIComponent(headers.authorization ?? '');
  const signature = /^type=master&ver=1\.0&sig=([\w+/=]+)$/.exec(authorization)?.[1] ?? '';
  const { type, link } = resourceOf(method, path);
  const signed = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
  const expected = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest();
  const given = Buffer.from(signature, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Refusal(401, 'The authorization token does not have the signature of the key.');
}

/** The type of the resource and its link: that of its parent where one is made or many are asked for. */
function resourceOf(method: string, path: string): { readonly type: string; readonly link: string } {
  const parts = path.split('/').filter((part) => part !== '');
  const isOne = parts.length % 2 === 0;
  const type = (isOne ? parts.at(-2) : parts.at(-1)) ?? '';
  return { type, link: (isOne && method !== 'POST' ? parts : parts.slice(0, isOne ? undefined : -1)).join('/') };
}

/** The value of the one partition key. Throws where it is missing, or longer than containers of that version take. */
export function partitionKeyOf(headers: IncomingHttpHeaders, version: number): string {
  const header = headers['x-ms-documentdb-partitionkey'];
  if (typeof header !== 'string') throw new Refusal(400, 'x-ms-documentdb-partitionkey is missing.');
  const values: unknown = JSON.parse(header);
  const value: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
  if (typeof value !== 'string') throw new Refusal(400, 'The partition key must be a list of one text.');
  if (Buffer.byteLength(value) > (version === 2 ? 2048 : 101)) throw new Refusal(400, 'The partition key is too long.');
  return value;
}

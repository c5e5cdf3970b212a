import type { McpSubscription, RequestOptions } from '@modelcontextprotocol/client';
import type { ClientSession } from './client-session.js';

/** Resources whose changes are to be told. Older servers keep a note of each; newer ones have a stream for each, which ends with the session. */
export class ResourceSubscriptions {
  readonly #streams = new Map<string, McpSubscription | undefined>();

  get uris(): readonly string[] {
    return [...this.#streams.keys()];
  }

  async add({ client, modern }: ClientSession, uri: string, options: RequestOptions): Promise<void> {
    if (modern) this.#streams.set(uri, await client.listen({ resourceSubscriptions: [uri] }, options));
    else {
      await client.subscribeResource({ uri }, options);
      this.#streams.set(uri, undefined);
    }
  }

  async remove({ client, modern }: ClientSession, uri: string, options: RequestOptions): Promise<void> {
    const stream = this.#streams.get(uri);
    this.#streams.delete(uri);
    if (modern) await stream?.close();
    else await client.unsubscribeResource({ uri }, options);
  }
}

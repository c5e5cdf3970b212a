import { type CallContext, type Logger, untilAborted } from '@vernal/core';
import { type McpToolDescription, usableTools } from './listed-tools.js';
import { withOwnSignal } from './signal-followers.js';

/** The tools of a server, kept until they change. */
export class ToolList {
  readonly #connection: string;
  readonly #logger: Logger;
  readonly #read: (context: CallContext | undefined) => Promise<readonly unknown[]>;
  #tools: readonly McpToolDescription[] | undefined;
  #byName: ReadonlyMap<string, McpToolDescription> = new Map();
  #listing: Promise<readonly McpToolDescription[]> | undefined;
  #changes = 0;

  constructor(
    connection: string,
    logger: Logger,
    read: (context: CallContext | undefined) => Promise<readonly unknown[]>,
  ) {
    this.#connection = connection;
    this.#logger = logger;
    this.#read = read;
  }

  /** Those that are known, or undefined when the server has to be asked. */
  get current(): readonly McpToolDescription[] | undefined {
    return this.#tools;
  }

  /** As it was listed last. */
  named(name: string): McpToolDescription | undefined {
    return this.#byName.get(name);
  }

  forget(): void {
    this.#changes++;
    this.#tools = undefined;
    this.#listing = undefined;
  }

  /** Several callers wait for one listing, each as long as its own signal allows. */
  async read(context: CallContext | undefined): Promise<readonly McpToolDescription[]> {
    this.#listing ??= this.#readNew(context);
    // Somebody has to look at it when every caller has gone.
    this.#listing.catch(() => {});
    const listing = this.#listing;
    return await withOwnSignal(context?.signal, (signal) => untilAborted(listing, signal));
  }

  async #readNew(context: CallContext | undefined): Promise<readonly McpToolDescription[]> {
    const changes = this.#changes;
    try {
      // Without the signal: none of those who wait may end it for the others.
      const listed = await this.#read({ observation: context?.observation });
      const tools = usableTools(listed, this.#logger, this.#connection);
      if (changes === this.#changes) {
        this.#tools = tools;
        this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
      }
      return tools;
    } finally {
      if (changes === this.#changes) this.#listing = undefined;
    }
  }
}

import type { Prompt, Resource } from '@modelcontextprotocol/client';
import type { McpHandlerContext } from './client-handlers.js';
import type { ConnectionSettings } from './connection-options.js';
import { ListPause } from './list-pause.js';
import type { McpToolDescription } from './listed-tools.js';
import { neverSignal } from './never-signal.js';
import type { McpProgressUpdate } from './protocol-types.js';
import { heard } from './serve-handlers.js';

/** What a server tells that it has changed. */
export type ChangingList = 'tools' | 'resources' | 'prompts';

/** Where the lists of now come from. */
export interface ListSource {
  listTools(): Promise<readonly McpToolDescription[]>;
  listResources(): Promise<readonly Resource[]>;
  listPrompts(): Promise<readonly Prompt[]>;
  readonly closing: AbortSignal;
}

/** Tells the listeners of a connection what its server says by itself. */
export class ServerListeners {
  readonly #settings: ConnectionSettings;
  readonly #source: ListSource;
  readonly #telling = new Map<ChangingList, 'once' | 'again'>();
  readonly #pauses = { tools: new ListPause(), resources: new ListPause(), prompts: new ListPause() };

  constructor(settings: ConnectionSettings, source: ListSource) {
    this.#settings = settings;
    this.#source = source;
  }

  /** Reads the list anew where somebody listens. A server that tells of a hundred changes at once is asked twice, and one that never stops less and less. */
  listChanged(list: ChangingList): void {
    const { toolListChanged, resourceListChanged, promptListChanged } = this.#settings.handlers;
    const handlers = { tools: toolListChanged, resources: resourceListChanged, prompts: promptListChanged }[list];
    if (handlers.length === 0) return;
    if (this.#telling.has(list)) this.#telling.set(list, 'again');
    else void this.#tellChanged(list);
  }

  async resourceUpdated(uri: string): Promise<void> {
    const context = this.#context();
    for (const handler of this.#settings.handlers.resourceUpdated) await this.#tell(() => handler(uri, context));
  }

  get hearProgress(): boolean {
    return this.#settings.handlers.progress.length > 0;
  }

  progress(
    tool: string,
    progress: McpProgressUpdate,
    signal: AbortSignal | undefined,
    own: ((progress: McpProgressUpdate) => void) | undefined,
  ): void {
    if (own !== undefined) void this.#tell(() => own(progress));
    for (const handler of this.#settings.handlers.progress)
      void this.#tell(() => handler(progress, { ...this.#context(signal), tool }));
  }

  async #tellChanged(list: ChangingList): Promise<void> {
    const context = this.#context();
    const { toolListChanged, resourceListChanged, promptListChanged } = this.#settings.handlers;
    const { closing } = this.#source;
    this.#telling.set(list, 'once');
    do {
      if (!(await this.#pauses[list].wait(closing))) break;
      // Whatever was told meanwhile is in the list that is read now.
      this.#telling.set(list, 'once');
      await this.#tell(async () => {
        if (list === 'tools') {
          const items = await this.#source.listTools();
          for (const handler of toolListChanged) await this.#tell(() => handler(items, context));
        } else if (list === 'resources') {
          const items = await this.#source.listResources();
          for (const handler of resourceListChanged) await this.#tell(() => handler(items, context));
        } else {
          const items = await this.#source.listPrompts();
          for (const handler of promptListChanged) await this.#tell(() => handler(items, context));
        }
      });
    } while (this.#telling.get(list) === 'again' && !closing.aborted);
    this.#telling.delete(list);
  }

  async #tell(tell: () => unknown): Promise<void> {
    await heard(this.#settings, tell);
  }

  #context(signal: AbortSignal = neverSignal()): McpHandlerContext {
    return { connection: this.#settings.name, signal, meta: {} };
  }
}

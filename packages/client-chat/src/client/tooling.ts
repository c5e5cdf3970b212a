import type { CallContext, ChatOptions, ToolCallback, ToolCallbackProvider, ToolSource } from '@vernal/core';
import { flattenToolSources, invalidArgument, overlayChatOptions } from '@vernal/core';
import { refuseBlankKeys } from './refuse-blank.js';

type Offer = ToolCallback | ToolCallbackProvider;

interface ToolingParts {
  readonly defaults: readonly Offer[];
  readonly defaultNames: readonly string[];
  /** Undefined until `tools()` was called. */
  readonly own: readonly Offer[] | undefined;
  readonly added: readonly Offer[];
  readonly names: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
}

const NOTHING: ToolingParts = { defaults: [], defaultNames: [], own: undefined, added: [], names: [], context: {} };

/** What a request offers the model: the client's tools or its own in their place, and those it adds. Immutable. */
export class Tooling {
  /** True when a provider has to be asked before a run. */
  readonly hasProviders: boolean;
  readonly #parts: ToolingParts;
  readonly #offers: readonly Offer[];
  readonly #tools: readonly ToolCallback[];
  readonly #names: readonly string[];
  /** A spec that is kept gives the same options every time. */
  #applied: { readonly to: ChatOptions; readonly result: ChatOptions } | undefined;

  /** Throws `invalid_argument` for two tools of one name. */
  constructor(parts: ToolingParts = NOTHING) {
    const { defaults, own, added, defaultNames, names } = parts;
    this.#parts = parts;
    this.#offers = [...(own ?? defaults), ...added];
    this.#tools = this.#offers.filter((offer): offer is ToolCallback => !isProvider(offer));
    this.hasProviders = this.#tools.length < this.#offers.length;
    // `tools()` takes the place of the client's tools, whether the client knows them or only their names.
    this.#names = [...new Set(own === undefined ? [...defaultNames, ...names] : names)];
    checkNames(this.#tools);
  }

  withDefaults(sources: readonly ToolSource[]): Tooling {
    return this.#with({ defaults: [...this.#parts.defaults, ...flattenToolSources(sources)] });
  }

  withOwn(sources: readonly ToolSource[]): Tooling {
    return this.#with({ own: [...(this.#parts.own ?? []), ...flattenToolSources(sources)] });
  }

  withAdded(sources: readonly ToolSource[]): Tooling {
    return this.#with({ added: [...this.#parts.added, ...flattenToolSources(sources)] });
  }

  withDefaultNames(names: readonly string[]): Tooling {
    return this.#with({ defaultNames: [...this.#parts.defaultNames, ...names] });
  }

  withNames(names: readonly string[]): Tooling {
    return this.#with({ names: [...this.#parts.names, ...names] });
  }

  withContext(values: Readonly<Record<string, unknown>>): Tooling {
    refuseBlankKeys('toolContext', values);
    return this.#with({ context: { ...this.#parts.context, ...values } });
  }

  /** Everything that is offered becomes the default: for a client made from a request. */
  asDefaults(): Tooling {
    const { context } = this.#parts;
    return new Tooling({ ...NOTHING, defaults: this.#offers, defaultNames: this.#names, context });
  }

  async askProviders(context: CallContext): Promise<Tooling> {
    const asked = await Promise.all(
      this.#offers.map(async (offer) => (isProvider(offer) ? await offer.toolCallbacks(context) : [offer])),
    );
    return new Tooling({ ...NOTHING, own: asked.flat(), names: this.#names, context: this.#parts.context });
  }

  /** The options with the tools in them. Throws `invalid_argument` for two tools of one name. */
  applyTo(options: ChatOptions): ChatOptions {
    if (this.#applied?.to !== options) this.#applied = { to: options, result: this.#overlay(options) };
    return this.#applied.result;
  }

  #overlay(options: ChatOptions): ChatOptions {
    const { context } = this.#parts;
    const hasContext = Object.keys(context).length > 0;
    if (this.#tools.length === 0 && this.#names.length === 0 && !hasContext) return options;
    const tools = [...(options.tools ?? []), ...this.#tools];
    checkNames(tools);
    return overlayChatOptions(options, {
      tools: this.#tools.length === 0 ? undefined : tools,
      toolNames: this.#names.length === 0 ? undefined : [...new Set([...(options.toolNames ?? []), ...this.#names])],
      toolContext: hasContext ? context : undefined,
    });
  }

  #with(change: Partial<ToolingParts>): Tooling {
    return new Tooling({ ...this.#parts, ...change });
  }
}

function checkNames(tools: readonly ToolCallback[]): void {
  const names = new Set<string>();
  for (const { definition } of tools) {
    if (names.has(definition.name)) {
      throw invalidArgument('tools', `there are two tools named '${definition.name}'; rename or leave out one of them`);
    }
    names.add(definition.name);
  }
}

function isProvider(offer: Offer): offer is ToolCallbackProvider {
  return 'toolCallbacks' in offer && typeof offer.toolCallbacks === 'function';
}

import type { CallContext, ChatOptions, ToolCallback, ToolCallbackProvider, ToolSource } from '@vernal/core';
import { flattenToolSources, overlayChatOptions } from '@vernal/core';
import { refuse } from './refuse.js';

type Offer = ToolCallback | ToolCallbackProvider;

/** What a request offers the model: the client's tools or its own in their place, and those it adds. Immutable. */
export interface Tooling {
  readonly defaults: readonly Offer[];
  readonly defaultNames: readonly string[];
  /** Undefined until `tools()` was called. */
  readonly own: readonly Offer[] | undefined;
  readonly added: readonly Offer[];
  readonly names: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
}

export const NO_TOOLS: Tooling = { defaults: [], defaultNames: [], own: undefined, added: [], names: [], context: {} };

export function withDefaultTools(tooling: Tooling, sources: readonly ToolSource[]): Tooling {
  return checked({ ...tooling, defaults: [...tooling.defaults, ...flattenToolSources(sources)] });
}

export function withOwnTools(tooling: Tooling, sources: readonly ToolSource[]): Tooling {
  return checked({ ...tooling, own: [...(tooling.own ?? []), ...flattenToolSources(sources)] });
}

export function withAddedTools(tooling: Tooling, sources: readonly ToolSource[]): Tooling {
  return checked({ ...tooling, added: [...tooling.added, ...flattenToolSources(sources)] });
}

/** Everything that is offered becomes the default: for a client made from a request. */
export function asDefaults(tooling: Tooling): Tooling {
  return { ...NO_TOOLS, defaults: offered(tooling), defaultNames: namesOf(tooling), context: tooling.context };
}

/** True when a provider has to be asked. */
export function mustAskProviders(tooling: Tooling): boolean {
  return offered(tooling).some(isProvider);
}

export async function askProviders(tooling: Tooling, context: CallContext): Promise<Tooling> {
  const asked = await Promise.all(
    offered(tooling).map(async (offer) => (isProvider(offer) ? await offer.toolCallbacks(context) : [offer])),
  );
  return { ...tooling, own: asked.flat(), added: [], names: namesOf(tooling), defaultNames: [] };
}

/** The options with the tools in them. Throws `invalid_argument` for two tools of one name. */
export function withTooling(options: ChatOptions, tooling: Tooling): ChatOptions {
  const tools = offered(tooling).filter((offer): offer is ToolCallback => !isProvider(offer));
  const names = namesOf(tooling);
  const hasContext = Object.keys(tooling.context).length > 0;
  if (tools.length === 0 && names.length === 0 && !hasContext) return options;
  const all = [...(options.tools ?? []), ...tools];
  checkNames(all);
  return overlayChatOptions(options, {
    tools: tools.length === 0 ? undefined : all,
    toolNames: names.length === 0 ? undefined : [...new Set([...(options.toolNames ?? []), ...names])],
    toolContext: hasContext ? tooling.context : undefined,
  });
}

function offered({ defaults, own, added }: Tooling): readonly Offer[] {
  const base = own ?? defaults;
  return added.length === 0 ? base : [...base, ...added];
}

/** `tools()` takes the place of the client's tools, whether it knows them or only their names. */
function namesOf({ own, defaultNames, names }: Tooling): readonly string[] {
  return own === undefined && defaultNames.length > 0 ? [...new Set([...defaultNames, ...names])] : names;
}

function checked(tooling: Tooling): Tooling {
  checkNames(offered(tooling).filter((offer): offer is ToolCallback => !isProvider(offer)));
  return tooling;
}

function checkNames(tools: readonly ToolCallback[]): void {
  const names = new Set<string>();
  for (const { definition } of tools) {
    if (names.has(definition.name)) {
      throw refuse('tools', `there are two tools named '${definition.name}'; rename or leave out one of them`);
    }
    names.add(definition.name);
  }
}

function isProvider(offer: Offer): offer is ToolCallbackProvider {
  return 'toolCallbacks' in offer && typeof offer.toolCallbacks === 'function';
}

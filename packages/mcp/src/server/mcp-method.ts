import type { ToolCallback } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { McpCompletion } from './mcp-completion.js';
import type { McpPromptDefinition } from './mcp-prompt.js';
import type { McpResourceDefinition } from './mcp-resource.js';

/** What a decorated method becomes once its object is known. */
export type McpFeature =
  | { readonly kind: 'tool'; readonly tool: ToolCallback }
  | { readonly kind: 'resource'; readonly resource: McpResourceDefinition }
  | { readonly kind: 'prompt'; readonly prompt: McpPromptDefinition }
  | { readonly kind: 'completion'; readonly completion: McpCompletion };

/** Calls the method on the object it was decorated on. */
export type CallMethod = (input: unknown, context: unknown) => unknown;

interface McpMethod {
  readonly key: PropertyKey | object;
  toFeature(owner: object): McpFeature;
}

/** Where decorated methods are noted, as core does for `@Tool`: a registered symbol, so that two copies of the package agree. */
const MCP_METHODS: unique symbol = Symbol.for('vernal.mcp.server.methods');

/** Works as a stage-3 decorator and under `experimentalDecorators`; on static methods and, in stage 3, on `#private` ones. */
export interface McpMethodDecorator<In, Context, Out> {
  <This, M extends (this: This, input: In, context: Context) => Out>(
    method: M,
    context: ClassMethodDecoratorContext<This, M>,
  ): void;
  <M extends (input: In, context: Context) => Out>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

/** Both dialects of one decorator. `toFeature` gets the method's name and a function that calls it. */
export function mcpMethodDecorator<In, Context, Out>(
  decorator: string,
  toFeature: (methodName: string, call: CallMethod) => McpFeature,
): McpMethodDecorator<In, Context, Out> {
  const method = (key: McpMethod['key'], name: string | symbol, get: (owner: object) => unknown): McpMethod => ({
    key,
    toFeature: (owner) =>
      toFeature(nameOf(name), (input, context) => {
        const found = get(owner);
        if (typeof found !== 'function')
          throw invalidArgument(decorator, 'the decorated method is gone from the object');
        return Reflect.apply(found, owner, [input, context]);
      }),
  });
  return (target: unknown, context: unknown, descriptor?: unknown): void => {
    if (isMethodContext(context)) {
      const { name, access } = context;
      const noted = method(context.private ? {} : name, name, (owner) => access.get(owner));
      context.addInitializer(function (this: unknown) {
        if (isOwner(this)) note(this, noted);
      });
      return;
    }
    const key = typeof context === 'string' || typeof context === 'symbol' ? context : undefined;
    if (key === undefined || !isOwner(target) || typeof Reflect.get(Object(descriptor), 'value') !== 'function')
      throw invalidArgument(decorator, 'decorates methods only, instance or static');
    note(
      target,
      method(key, key, (owner) => Reflect.get(owner, key)),
    );
  };
}

/** Of an object, or of a class for static methods; inherited ones first, an override in the place of what it overrides. */
export function mcpFeaturesOf(owner: object): readonly McpFeature[] {
  const chain: object[] = [];
  for (let link: object | null = owner; link !== null; link = Object.getPrototypeOf(link)) chain.unshift(link);
  const found = new Map<McpMethod['key'], McpMethod>();
  for (const link of chain) for (const [key, method] of ownMethods(link) ?? []) found.set(key, method);
  return [...found.values()].map((method) => method.toFeature(owner));
}

function note(owner: object, method: McpMethod): void {
  const known = ownMethods(owner);
  if (known !== undefined) known.set(method.key, method);
  else Object.defineProperty(owner, MCP_METHODS, { value: new Map([[method.key, method]]) });
}

function ownMethods(owner: object): Map<McpMethod['key'], McpMethod> | undefined {
  return Object.getOwnPropertyDescriptor(owner, MCP_METHODS)?.value;
}

function nameOf(name: string | symbol): string {
  return typeof name === 'symbol' ? (name.description ?? '') : name.replace(/^#/, '');
}

function isMethodContext(context: unknown): context is ClassMethodDecoratorContext {
  return typeof context === 'object' && context !== null && Reflect.get(context, 'kind') === 'method';
}

function isOwner(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

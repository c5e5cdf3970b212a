import type { ToolCallback } from './tool-callback.js';

/** A decorated method: gives the tool once it knows the object to call it on. */
export interface ToolMethod {
  /** The method's name; for a private one a key of its own, since a subclass cannot override it. */
  readonly key: PropertyKey | object;
  toTool(owner: object): ToolCallback;
}

type ToolMethods = Map<ToolMethod['key'], ToolMethod>;

/**
 * Where decorated methods are noted: on the instance or class by stage-3 initializers, on the prototype or class by legacy
 * decorators. A registered symbol, so that the decorator of one copy of the package and `toolsFrom` of another agree; not
 * `Symbol.metadata`, which engines lack and a polyfill would have to put on a global.
 */
const TOOL_METHODS: unique symbol = Symbol.for('vernal.tool.methods');

export function addToolMethod(owner: object, method: ToolMethod): void {
  const known = ownToolMethods(owner);
  if (known !== undefined) known.set(method.key, method);
  else Object.defineProperty(owner, TOOL_METHODS, { value: new Map([[method.key, method]]) });
}

/** Those of `owner` and of what it inherits from, base first; an override takes the place of what it overrides. */
export function toolMethodsOf(owner: object): readonly ToolMethod[] {
  const chain: object[] = [];
  for (let link: object | null = owner; link !== null; link = Object.getPrototypeOf(link)) chain.unshift(link);
  const found: ToolMethods = new Map();
  for (const link of chain) for (const [key, method] of ownToolMethods(link) ?? []) found.set(key, method);
  return [...found.values()];
}

function ownToolMethods(owner: object): ToolMethods | undefined {
  return Object.getOwnPropertyDescriptor(owner, TOOL_METHODS)?.value;
}

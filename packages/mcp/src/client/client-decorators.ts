import type { Prompt, Resource } from '@modelcontextprotocol/client';
import { invalidArgument } from '@vernal/core';
import type { McpClientHandlers, McpHandlerContext, McpSamplingAnswer } from './client-handlers.js';
import type { McpToolDescription } from './listed-tools.js';
import type {
  McpElicitationAnswer,
  McpElicitationRequest,
  McpLogMessage,
  McpProgressUpdate,
  McpSamplingRequest,
} from './protocol-types.js';

/** Which connections a decorated method is for. */
export interface McpHandlerOptions {
  /** Names of connections. Default: every connection that is given the object. */
  readonly clients?: string | readonly string[] | undefined;
}

/** Works as a stage-3 decorator and under `experimentalDecorators`. */
export interface McpHandlerDecorator<Request, Result, Context = McpHandlerContext> {
  <This, M extends (this: This, request: Request, context: Context) => Result>(
    method: M,
    context: ClassMethodDecoratorContext<This, M>,
  ): void;
  <M extends (request: Request, context: Context) => Result>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

type HandlerKind = keyof McpClientHandlers;

interface HandlerMethod {
  readonly kind: HandlerKind;
  readonly clients: readonly string[] | undefined;
  readonly announce: Readonly<Record<string, boolean>> | undefined;
  get(owner: object): unknown;
}

type HandlerMethods = Map<PropertyKey | object, HandlerMethod[]>;

/** Registered, so that the decorator of one copy of the package and the connection of another agree. */
const HANDLER_METHODS: unique symbol = Symbol.for('vernal.mcp.handlers');

/** A method that hears the server's log. Source: `@McpLogging` of spring-ai-mcp-annotations. */
export function McpLogging(options?: McpHandlerOptions): McpHandlerDecorator<McpLogMessage, unknown> {
  return decorator('logging', options);
}

/**
 * The method that answers when a server wants something of a model; one for each connection. Source: `@McpSampling`.
 *
 * @param options - `tools`: the server may send tools along; default false
 */
export function McpSampling(
  options?: McpHandlerOptions & { readonly tools?: boolean | undefined },
): McpHandlerDecorator<McpSamplingRequest, McpSamplingAnswer | Promise<McpSamplingAnswer>> {
  return decorator('sampling', options, { tools: options?.tools ?? false });
}

/**
 * The method that answers when a server wants something of the user; one for each connection. Source: `@McpElicitation`.
 *
 * @param options - `url`: addresses may be opened too; default false
 */
export function McpElicitation(
  options?: McpHandlerOptions & { readonly url?: boolean | undefined },
): McpHandlerDecorator<McpElicitationRequest, McpElicitationAnswer | Promise<McpElicitationAnswer>> {
  return decorator('elicitation', options, { url: options?.url ?? false });
}

/** A method that hears how far tool calls are. Source: `@McpProgress`. */
export function McpProgress(
  options?: McpHandlerOptions,
): McpHandlerDecorator<McpProgressUpdate, unknown, McpHandlerContext & { readonly tool: string }> {
  return decorator('progress', options);
}

/** A method that gets the tools after a change. Source: `@McpToolListChanged`. */
export function McpToolListChanged(
  options?: McpHandlerOptions,
): McpHandlerDecorator<readonly McpToolDescription[], unknown> {
  return decorator('toolListChanged', options);
}

/** A method that gets the resources after a change. Source: `@McpResourceListChanged`. */
export function McpResourceListChanged(options?: McpHandlerOptions): McpHandlerDecorator<readonly Resource[], unknown> {
  return decorator('resourceListChanged', options);
}

/** A method that gets the prompts after a change. Source: `@McpPromptListChanged`. */
export function McpPromptListChanged(options?: McpHandlerOptions): McpHandlerDecorator<readonly Prompt[], unknown> {
  return decorator('promptListChanged', options);
}

/**
 * The handlers that decorated methods of `owner` are for this connection. Throws `invalid_argument` for an object without any.
 */
export function decoratedHandlers(owner: object, connection: string): McpClientHandlers[] {
  const methods = handlerMethodsOf(owner);
  if (methods.length === 0)
    throw invalidArgument('handlers', 'takes handlers by name, and objects with @McpLogging, @McpSampling … methods');
  return methods
    .filter(({ clients }) => clients === undefined || clients.includes(connection))
    .map(({ kind, announce, get }) => {
      const call = (...args: readonly unknown[]): unknown => {
        const method = get(owner);
        if (typeof method !== 'function')
          throw invalidArgument('handlers', 'a decorated method is gone from the object');
        return Reflect.apply(method, owner, args);
      };
      return { [kind]: Object.assign(call, announce) };
    });
}

function decorator(
  kind: HandlerKind,
  options: McpHandlerOptions | undefined,
  announce?: Readonly<Record<string, boolean>>,
): (target: unknown, context: unknown, descriptor?: unknown) => void {
  const named = options?.clients;
  const clients = typeof named === 'string' ? [named] : named;
  return (target, context, descriptor) => {
    if (isMethodContext(context)) {
      const { name, access } = context;
      const key = context.private ? {} : name;
      const method: HandlerMethod = { kind, clients, announce, get: (owner) => access.get(owner) };
      context.addInitializer(function (this: unknown) {
        if (isOwner(this)) addMethod(this, key, method);
      });
      return;
    }
    const key = typeof context === 'string' || typeof context === 'symbol' ? context : undefined;
    if (key === undefined || !isOwner(target) || typeof Reflect.get(Object(descriptor), 'value') !== 'function')
      throw invalidArgument(`@Mcp${kind.replace(/^./, (first) => first.toUpperCase())}`, 'decorates methods only');
    addMethod(target, key, { kind, clients, announce, get: (owner) => Reflect.get(owner, key) });
  };
}

function addMethod(owner: object, key: PropertyKey | object, method: HandlerMethod): void {
  let known = ownMethods(owner);
  if (known === undefined) {
    known = new Map();
    Object.defineProperty(owner, HANDLER_METHODS, { value: known });
  }
  // A method may have several of these decorators.
  known.set(key, [...(known.get(key) ?? []), method]);
}

/** Those of `owner` and of what it inherits from, base first; an override takes the place of what it overrides. */
function handlerMethodsOf(owner: object): readonly HandlerMethod[] {
  const chain: object[] = [];
  for (let link: object | null = owner; link !== null; link = Object.getPrototypeOf(link)) chain.unshift(link);
  const found: HandlerMethods = new Map();
  for (const link of chain) for (const [key, methods] of ownMethods(link) ?? []) found.set(key, methods);
  return [...found.values()].flat();
}

function ownMethods(owner: object): HandlerMethods | undefined {
  return Object.getOwnPropertyDescriptor(owner, HANDLER_METHODS)?.value;
}

function isMethodContext(context: unknown): context is ClassMethodDecoratorContext {
  return typeof context === 'object' && context !== null && Reflect.get(context, 'kind') === 'method';
}

function isOwner(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

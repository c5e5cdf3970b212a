import { invalidArgument } from '../errors/invalid-argument.js';
import type { AnySchemaWithJson, InferOutput } from '../schema/standard-schema.js';
import { type NoInput, type ToolSettings, toolCallback } from './tool.js';
import type { ToolCallback, ToolContext } from './tool-callback.js';
import { type ToolInput, toolInput } from './tool-input.js';
import { addToolMethod, type ToolMethod, toolMethodsOf } from './tool-methods.js';
import { checkDistinctNames, checkToolName } from './tool-name.js';

/** As for `tool()`, but the name may be left out. Without `input` the method takes none. */
export interface ToolDecoratorOptions<S extends AnySchemaWithJson> extends ToolSettings<unknown> {
  /** Default: the method's name. */
  readonly name?: string | undefined;
  readonly input?: S | undefined;
}

/** Works as a stage-3 decorator and under `experimentalDecorators`; on static methods and, in stage 3, on `#private` ones. */
export interface ToolDecorator<In> {
  <This, M extends (this: This, input: In, context: ToolContext) => unknown>(
    method: M,
    context: ClassMethodDecoratorContext<This, M>,
  ): void;
  <M extends (input: In, context: ToolContext) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

/**
 * Makes a method a tool; `toolsFrom(object)` collects them. The schema describes the parameters and the method gets
 * `(input, context)`. An override in a subclass is what runs, decorated or not.
 * Throws `invalid_argument` on anything but a method. Source: `@Tool` of spring-ai-model.
 *
 * @example
 * `@Tool({ description: 'The time in a zone', input: z.object({ zone: z.string() }) })` goes above the method
 * `time({ zone }: { zone: string }): string` of a class `Clock`; then `toolsFrom(new Clock())` is a list with that tool.
 */
export function Tool<S extends AnySchemaWithJson = NoInput>(
  options: ToolDecoratorOptions<S>,
): ToolDecorator<InferOutput<S>> {
  let shared: ToolInput<InferOutput<S>> | undefined;
  const toolMethod = (name: string | symbol, key: ToolMethod['key'], get: (owner: object) => unknown): ToolMethod => {
    const toolName = options.name ?? methodName(name);
    checkToolName(toolName);
    // One reader for all instances: its JSON Schema is made once.
    shared ??= toolInput(options.input, toolName);
    const input = shared;
    return {
      key,
      toTool: (owner) =>
        toolCallback(
          toolName,
          options,
          input,
          (value, context) => callMethod(get(owner), owner, value, context),
          options.convertResult,
        ),
    };
  };

  return (target: unknown, context: unknown, descriptor?: unknown): void => {
    if (isMethodContext(context)) {
      const { name, access } = context;
      const key = context.private ? {} : name;
      const method = toolMethod(name, key, (owner) => access.get(owner));
      context.addInitializer(function (this: unknown) {
        if (isOwner(this)) addToolMethod(this, method);
      });
      return;
    }
    const legacyKey = typeof context === 'string' || typeof context === 'symbol' ? context : undefined;
    if (legacyKey === undefined || !isOwner(target) || typeof Reflect.get(Object(descriptor), 'value') !== 'function')
      throw invalidArgument('@Tool', 'decorates methods only, instance or static');
    addToolMethod(
      target,
      toolMethod(legacyKey, legacyKey, (owner) => Reflect.get(owner, legacyKey)),
    );
  };
}

/**
 * Tools of decorated methods: of instances, and of classes for static methods; inherited ones too.
 * None found on one of the objects, or two of one name: `invalid_argument`.
 */
export function toolsFrom(...objects: readonly object[]): ToolCallback[] {
  const tools = objects.flatMap((owner) => {
    if (!isOwner(owner)) throw invalidArgument('toolsFrom', 'takes objects and classes with @Tool methods');
    const found = toolMethodsOf(owner);
    if (found.length > 0) return found.map((method) => method.toTool(owner));
    const what = typeof owner === 'function' ? `class ${owner.name}` : (owner.constructor?.name ?? 'object');
    const fix = typeof owner === 'function' ? 'static methods; give an instance for the others' : 'methods';
    throw invalidArgument('toolsFrom', `${what} has no @Tool ${fix}`);
  });
  checkDistinctNames(tools);
  return tools;
}

function callMethod(method: unknown, owner: object, input: unknown, context: ToolContext): unknown {
  if (typeof method !== 'function') throw invalidArgument('@Tool', 'the decorated method is gone from the object');
  return Reflect.apply(method, owner, [input, context]);
}

function methodName(name: string | symbol): string {
  return typeof name === 'symbol' ? (name.description ?? '') : name.replace(/^#/, '');
}

function isMethodContext(context: unknown): context is ClassMethodDecoratorContext {
  return typeof context === 'object' && context !== null && Reflect.get(context, 'kind') === 'method';
}

function isOwner(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

import type { AnySchemaWithJson, InferOutput } from '../schema/standard-schema.js';
import type { NoInput, ToolSettings } from './tool.js';
import type { ToolCallback, ToolContext } from './tool-callback.js';

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

export declare function Tool<S extends AnySchemaWithJson = NoInput>(
  options: ToolDecoratorOptions<S>,
): ToolDecorator<InferOutput<S>>;

/** Tools of decorated methods: of instances, and of classes for static methods. None found, or two of one name: `invalid_argument`. */
export declare function toolsFrom(...objects: readonly object[]): ToolCallback[];

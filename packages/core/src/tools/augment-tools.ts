import type { AnySchemaWithJson, InferOutput } from '../schema/standard-schema.js';
import type { ToolCallback, ToolDefinition, ToolSource } from './tool-callback.js';

/** Adds parameters to every tool of `source`, hands them to `onArguments`, and takes them out before the tool runs unless `keep`. */
export declare function augmentTools<S extends AnySchemaWithJson>(
  source: ToolSource,
  options: {
    readonly input: S;
    readonly onArguments: (event: {
      readonly definition: ToolDefinition;
      readonly rawInput: string;
      readonly arguments: InferOutput<S>;
    }) => void;
    readonly keep?: boolean | undefined;
  },
): ToolCallback[];

import type { AnySchemaWithJson, InferOutput, SchemaWithJson, ToolCallback, ToolContext } from '@vernal/core';
import { tool } from '@vernal/core';
import type { AsToolOptions, ChatClient, ChatClientRequestSpec } from './chat-client.js';

/** An agent as a tool: a turn of its own a call, under the caller's signal and observation, with the caller's tool context. */
export function agentTool<S extends AnySchemaWithJson>(client: ChatClient, options: AsToolOptions<S>): ToolCallback {
  const { name, description, input, request } = options;
  if (input !== undefined) {
    const ask = request ?? ((spec, value) => spec.user(JSON.stringify(value)));
    return tool({ name, description, input, execute: (value, context) => run(ask(client.prompt(), value), context) });
  }
  // Without an input of its own, S is what its default says: one text.
  const ask = request ?? ((spec, value) => spec.user((value as OneText).input));
  return tool({
    name,
    description,
    input: ONE_TEXT,
    execute: (value, context) => run(ask(client.prompt(), value as InferOutput<S>), context),
  });
}

function run(spec: ChatClientRequestSpec, { signal, observation, values }: ToolContext): Promise<string> {
  const run = spec.signal(signal).toolContext(values);
  return (observation === undefined ? run : run.observation(observation)).call().content();
}

interface OneText {
  readonly input: string;
}

const JSON_SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The task, in words' } },
  required: ['input'],
  additionalProperties: false,
};

const ONE_TEXT: SchemaWithJson<OneText, OneText> = {
  '~standard': {
    version: 1,
    vendor: 'vernal',
    validate: (value) =>
      isOneText(value) ? { value: { input: value.input } } : { issues: [{ message: 'must be text', path: ['input'] }] },
    jsonSchema: { input: () => JSON_SCHEMA, output: () => JSON_SCHEMA },
  },
};

function isOneText(value: unknown): value is OneText {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'input') === 'string';
}

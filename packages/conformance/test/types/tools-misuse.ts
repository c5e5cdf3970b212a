// What must not compile: each `@ts-expect-error` is one promise of the types; the compiler fails where one starts to compile.
import { ChatClient } from '@vernal/client-chat';
import { Tool, ToolCallingManager, jsonSchema, tool, toolsFrom } from '@vernal/core';
import type { ChatModel, ToolContext } from '@vernal/core';
import * as v from 'valibot';
import { z } from 'zod';

declare const model: ChatModel;
const client = ChatClient.create(model);
const City = z.object({ city: z.string() });
// tools
// @ts-expect-error execute gets what the schema yields
tool({ name: 'a', input: City, execute: ({ town }) => town });
// @ts-expect-error a schema without JSON Schema: toStandardJsonSchema or withJsonSchema
tool({ name: 'a', input: v.object({ a: v.string() }), execute: ({ a }) => a });
// @ts-expect-error JSON Schema as such has no type: jsonSchema<T>()
tool({ name: 'a', input: { type: 'object' }, execute: () => 1 });
// @ts-expect-error a tool has a name
tool({ input: City, execute: () => 1 });
// @ts-expect-error a tool without input gets none
tool({ name: 'a', execute: (input) => input.length + 1 });
// @ts-expect-error the result conversion gets what execute gives
tool({ name: 'a', input: City, execute: () => 1, convertResult: (r: string) => r });
// @ts-expect-error jsonSchema<T> types the input
tool({ name: 'a', input: jsonSchema<{ n: number }>({ type: 'object' }), execute: ({ n }) => n.trim() });
// @ts-expect-error tools() replaces by itself: addTools() adds
client.prompt('x').tools([], { replace: true });
// @ts-expect-error a function is not a tool
client.prompt('x').tools(() => 1);
// @ts-expect-error a record of tools is not a list: Object.values(…)
client.prompt('x').tools({ weather: tool({ name: 'w', execute: () => 1 }) });
class Clock {
  // @ts-expect-error the method takes what the schema yields
  @Tool({ description: 'bad', input: City })
  bad(input: { town: string }): string { return input.town; }

  // @ts-expect-error without a schema there is no input
  @Tool({ description: 'bad' })
  alsoBad(input: { city: string }): string { return input.city; }

  // @ts-expect-error only methods
  @Tool({ description: 'bad' })
  field = 1;
}
client.prompt('x').tools(new Clock());
client.prompt('x').tools(toolsFrom(new Clock()));
// @ts-expect-error the signal is not for writing
export const cancel = (context: ToolContext): void => { context.signal = AbortSignal.abort(); };
// @ts-expect-error onExceeded is one of three
new ToolCallingManager({ limits: { onExceeded: 'ignore' } });

// What must not compile: each `@ts-expect-error` is one promise of the types; the compiler fails where one starts to compile.
import { BaseAdvisor, ChatClient, MessageChatMemoryAdvisor, SafeGuardAdvisor, ToolCallingAdvisor } from '@vernal/client-chat';
import type { Advisor, ChatClientRequest } from '@vernal/client-chat';
import { CONVERSATION_ID, Prompt } from '@vernal/core';
import type { ChatMemoryRepository, ChatModel } from '@vernal/core';
import * as v from 'valibot';
import { z } from 'zod';

declare const model: ChatModel;
declare const repository: ChatMemoryRepository;
const client = ChatClient.create(model);
const City = z.object({ city: z.string() });
// client
// @ts-expect-error a conversation id is a string
client.prompt('x').conversation(42);
// @ts-expect-error the same by its key
client.prompt('x').advisors((a) => a.param(CONVERSATION_ID, 42));
// @ts-expect-error null is no context value
client.prompt('x').advisors((a) => a.param('anything', null));
// @ts-expect-error nothing runs before a terminal: a spec is not a promise of text
export const early: Promise<string> = client.prompt('x').call();
// @ts-expect-error call() is not iterable
export const iterate = async (): Promise<void> => { for await (const _ of client.prompt('x').call()) break; };
// @ts-expect-error stream().content() is not a promise
export const awaited = async (): Promise<string> => client.prompt('x').stream().content();
export const partials = async (): Promise<string> => {
  // @ts-expect-error a partial is not yet the whole: use result()
  for await (const partial of client.prompt('x').stream().entity(City)) return partial.city;
  return '';
};
export const entity = async (): Promise<number> => {
  // @ts-expect-error the entity has the schema's type
  return client.prompt('x').call().entity(City);
};
// @ts-expect-error an entity needs a JSON Schema
void client.prompt('x').call().entity(v.object({ a: v.string() }));
// @ts-expect-error entity options are spelt native and validate
void client.prompt('x').call().entity(City, { strict: true });
// @ts-expect-error system texts have no media
client.prompt().system((s) => s.text('x').media('image/png', 'u'));
// @ts-expect-error a model is needed
ChatClient.builder();
// @ts-expect-error the client is made by create or builder
new ChatClient(model);
// @ts-expect-error an advisor advises calls or streams
client.prompt('x').advisors({ name: 'n', order: 0 } satisfies Advisor);
// @ts-expect-error a scope is a turn or a round
export class Scoped extends BaseAdvisor { readonly name = 's'; override readonly scope = 'call'; }
// @ts-expect-error an advisor has a name
export class Nameless extends BaseAdvisor {}
// @ts-expect-error requests are copied by withRequest
export const mutate = (request: ChatClientRequest): void => { request.prompt = new Prompt('y'); };
// @ts-expect-error words are needed
new SafeGuardAdvisor();
// @ts-expect-error a memory is needed, not a repository
new MessageChatMemoryAdvisor({ chatMemory: repository });
// @ts-expect-error the tool advisor has no scope: it is the line between turn and round
new ToolCallingAdvisor({ scope: 'turn' });

// What users of the chat client write. It compiles, and that is the test; nothing here runs.
import { ChatClient } from '@vernal/client-chat';
import { Prompt, StructuredOutputError, VernalError, bytesResource, chatOptionsFactory, defaultRenderer, jsonSchema, listConverter, mapConverter, mergeChatOptions, noopRenderer, responseText, schemaConverter, systemMessage, userMessage } from '@vernal/core';
import type { ChatResponse, DeepPartial, ResolvedChatOptions, StructuredOutputConverter } from '@vernal/core';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { model, smallModel, logger, photo, write, Film, expectType, search, type Same } from './samples.js';

// 1. Hello, with and without a builder.
export async function hello(): Promise<string> {
  const quick = ChatClient.create(model);
  const client = ChatClient.builder(model, { logger }).defaultSystem('You are terse.').defaultOptions({ temperature: 0.2 }).build();
  return (await quick.prompt('Tell me a joke').call().content()) + (await client.prompt('Another').call().content());
}

// 2. Parameters in user and system text; defaults overridden per call; a resource as text; metadata and media.
export async function parameters(): Promise<ChatResponse> {
  const client = ChatClient.builder(model)
    .defaultSystem((s) => s.text('You answer as {voice}.').param('voice', 'a pirate').metadata('version', 3))
    .build();
  return client
    .prompt()
    .system((s) => s.param('voice', 'a librarian'))
    .user((u) => u.text('Five films of {actor} since {year}').params({ actor: 'Tom Hanks', year: 2000 }).media('image/png', photo).metadata('asked', new Date()))
    .call()
    .chatResponse();
}
export const fromResource = () => ChatClient.create(model).prompt().system(bytesResource('Answer in {language}.')).user('Hi').call().content();

// 3. The three forms of prompt(); own delimiters; no renderer at all.
export async function promptForms(): Promise<void> {
  const client = ChatClient.create(model);
  await client.prompt('text').call().content();
  await client.prompt(new Prompt([systemMessage('s'), userMessage('u')], { temperature: 0 })).call().content();
  await client.prompt([userMessage('u')]).call().content();
  await client.prompt().user((u) => u.text('<x> and {"json": true}').param('x', 1)).templateRenderer(defaultRenderer({ start: '<', end: '>' })).call().content();
  await client.prompt().user('{literal}').templateRenderer(noopRenderer).call().content();
}

// 4. Reading a response: `result` may be undefined, and the type says so.
export async function reading(): Promise<string> {
  const response = await ChatClient.create(model).prompt('hi').call().chatResponse();
  const total: number | undefined = response.metadata.usage.totalTokens;
  const text = response.result?.output.text ?? '';
  return `${text} (${total ?? 'unknown'} tokens, ${response.result?.metadata.finishReason ?? 'no reason'}) ${responseText(response)}`;
}

// 5. Entities: zod, a list, valibot, JSON Schema with a type of one's own, converters, response with entity.
export async function entities(): Promise<void> {
  const client = ChatClient.create(model);
  const film = await client.prompt().user((u) => u.text('{actor}').param('actor', 'Tom')).call().entity(Film, { validate: true, native: true });
  expectType<Same<typeof film, Film>>();
  const films = await client.prompt('Ten films').call().entity(z.array(Film), { validate: { maxRepeats: 1 } });
  films[0]?.title.toUpperCase();
  const trip = await client.prompt('A trip').call().entity(toStandardJsonSchema(v.object({ stops: v.array(v.string()) })));
  trip.stops.map((s) => s.length);
  const city = await client.prompt('A city').call().entity(jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }));
  city.name.trim();
  const names: string[] = await client.prompt('Names').call().entity(listConverter());
  const map: Record<string, unknown> = await client.prompt('Map').call().entity(mapConverter());
  const { response, entity } = await client.prompt('Film').call().responseEntity(Film);
  write(`${entity.title} ${response.metadata.model ?? ''} ${names.length} ${Object.keys(map).length}`);
}

// 6. A converter of one's own (XML, CSV, anything).
const xml: StructuredOutputConverter<{ tag: string }> = { format: 'Answer with one XML element.', convert: (text) => ({ tag: text.slice(1, 4) }) };
export const custom = async (): Promise<string> => (await ChatClient.create(model).prompt('x').call().entity(xml)).tag;
export const convertByHand = async (text: string): Promise<Film> => schemaConverter(Film).convert(text);

// 7. What went wrong, typed.
export async function outputErrors(): Promise<Film | undefined> {
  try {
    return await ChatClient.create(model).prompt('A film').call().entity(Film, { validate: true });
  } catch (error) {
    if (StructuredOutputError.is(error)) logger.warn('no film', { attempts: error.attempts, issues: error.issues.length });
    else if (VernalError.is(error) && error.retryable) await new Promise((done) => setTimeout(done, error.retryAfterMs ?? 1000));
    else throw error;
    return undefined;
  }
}

// 8. Streams: text, chunks, partial entities and the validated whole. Leaving the loop cancels upstream.
export async function streams(signal: AbortSignal): Promise<Film> {
  const client = ChatClient.create(model);
  for await (const text of client.prompt('A story').signal(signal).stream().content()) {
    if (text.includes('THE END')) break;
    write(text);
  }
  for await (const chunk of client.prompt('More').stream().chatResponse()) write(chunk.result?.output.text ?? '');
  const films = client.prompt('A film').stream().entity(Film);
  for await (const partial of films) {
    expectType<Same<typeof partial, DeepPartial<Film>>>();
    write(partial.title ?? '…');
    write(partial.cast?.[0] ?? '');
  }
  return films.result();
}

// 16. Options: undefined keeps, null unsets; an environment variable may be undefined; provider options are typed.
interface OpenAiOptions { readonly reasoningEffort: 'low' | 'medium' | 'high'; readonly seed: number; readonly parallelToolCalls: boolean }
const openAiChatOptions = chatOptionsFactory<OpenAiOptions>('openai');
export function options(): ResolvedChatOptions {
  const client = ChatClient.builder(model).defaultOptions({ model: process.env['MODEL'], temperature: 0.7, stopSequences: ['\n'] }).build();
  void client.prompt('hi').options(openAiChatOptions({ temperature: null, reasoningEffort: 'low', seed: 7, extra: { store: true } })).call().content();
  const merged = mergeChatOptions({ temperature: 0.7, toolContext: { a: 1 } }, { temperature: undefined, topP: null, toolContext: { b: 2 } });
  const effort: 'low' | 'medium' | 'high' | undefined = openAiChatOptions.of(merged).reasoningEffort;
  return effort === undefined ? merged : { ...merged, model: 'gpt' };
}

// 17. An agent as a tool of another agent.
export function agents(): ChatClient {
  const researcher = ChatClient.builder(smallModel).defaultSystem('You research.').defaultTools(search).build();
  return ChatClient.builder(model)
    .defaultTools(
      researcher.asTool({ name: 'research', description: 'Finds facts' }),
      researcher.asTool({ name: 'compare', description: 'Compares', input: z.object({ a: z.string(), b: z.string() }), request: (spec, { a, b }) => spec.user(`Compare ${a} with ${b}`) }),
    )
    .build();
}

// 18. mutate: a client from a client, a client from a request. A spec may be kept and used many times.
export async function derived(): Promise<void> {
  const base = ChatClient.create(model);
  const brief = base.mutate().defaultSystem('Be brief').build();
  const spec = brief.prompt().system((s) => s.text('In {language}').param('language', 'Dutch'));
  await Promise.all(['a', 'b'].map((q) => spec.user(q).call().content()));
  await spec.mutate().defaultOptions({ maxTokens: 10 }).build().prompt('x').timeout(5_000).call().content();
}

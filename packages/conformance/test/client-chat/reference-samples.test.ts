import { ChatClient } from '@vernal/client-chat';
import {
  bytesResource,
  callText,
  defaultRenderer,
  listConverter,
  mapConverter,
  media,
  Prompt,
  PromptTemplate,
  SystemPromptTemplate,
  schemaConverter,
  userMessage,
} from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const ActorFilms = z.object({ actor: z.string(), movies: z.array(z.string()) });
const HANKS = { actor: 'Tom Hanks', movies: ['Big', 'Cast Away'] };

/** What a user of Spring AI's reference finds in its chapters, written down here. */
describe('the chapter on the chat client', () => {
  it('a voice for a client', async () => {
    const model = new ScriptedChatModel(['Arrr', 'You talkin’ to me?']);
    const client = ChatClient.builder(model)
      .defaultSystem('You are a friendly chat bot that answers question in the voice of a {voice}')
      .build();
    const ask = (voice: string): Promise<string> =>
      client
        .prompt()
        .system((s) => s.param('voice', voice))
        .user('Tell me a joke')
        .call()
        .content();
    expect([await ask('Pirate'), await ask('Robert DeNiro')]).toEqual(['Arrr', 'You talkin’ to me?']);
    expect(model.prompts.map(({ contents }) => contents)).toEqual([
      'You are a friendly chat bot that answers question in the voice of a PirateTell me a joke',
      'You are a friendly chat bot that answers question in the voice of a Robert DeNiroTell me a joke',
    ]);
  });

  it('entities, one and many, with what they take', async () => {
    const text = JSON.stringify(HANKS);
    const model = new ScriptedChatModel([text, `[${text},${text}]`, 'oops', text]);
    const client = ChatClient.create(model);
    expect(await client.prompt('Generate the filmography for a random actor.').call().entity(ActorFilms)).toEqual(
      HANKS,
    );
    expect(await client.prompt().user('And of two more.').call().entity(z.array(ActorFilms))).toEqual([HANKS, HANKS]);
    expect(await client.prompt('One.').call().entity(ActorFilms, { native: true, validate: true })).toEqual(HANKS);
    model.assertComplete();
  });

  it('a stream that is put together and converted by hand', async () => {
    const converter = schemaConverter(z.array(ActorFilms));
    const model = new ScriptedChatModel([{ text: JSON.stringify([HANKS]), chunks: 'char' }]);
    const pieces = await collect(
      ChatClient.create(model)
        .prompt()
        .user((u) => u.text('Generate the filmography.\n{format}').param('format', converter.format))
        .stream()
        .content(),
    );
    expect(await converter.convert(pieces.join(''))).toEqual([HANKS]);
    expect(model.prompts[0]?.userMessage.text).toContain(converter.format);
  });

  it('other delimiters', async () => {
    const model = new ScriptedChatModel(['…']);
    await ChatClient.create(model)
      .prompt()
      .user((u) => u.text('Movies with music by <composer>, as {"title": …}').param('composer', 'John Williams'))
      .templateRenderer(defaultRenderer({ start: '<', end: '>' }))
      .call()
      .content();
    expect(model.prompts[0]?.contents).toBe('Movies with music by John Williams, as {"title": …}');
  });
});

describe('the chapter on prompts', () => {
  it('a joke, and a role', async () => {
    const model = new ScriptedChatModel(['ha', 'Arrr']);
    const joke = new PromptTemplate('Tell me a {adjective} joke about {topic}').create({
      adjective: 'dry',
      topic: 'cows',
    });
    expect(await callText(model, joke)).toBe('ha');
    const system = new SystemPromptTemplate('Your name is {name}. Reply in the style of a {voice}.');
    const messages = [userMessage('Tell me about pirates.'), system.createMessage({ name: 'Bob', voice: 'pirate' })];
    const { results } = await model.call(new Prompt(messages));
    expect(results.map(({ output }) => output.text)).toEqual(['Arrr']);
    expect(model.prompts[0]?.contents).toBe('Tell me a dry joke about cows');
    expect(model.prompts[1]?.systemMessage.text).toBe('Your name is Bob. Reply in the style of a pirate.');
  });

  it('a template out of a resource, with other delimiters', async () => {
    const renderer = defaultRenderer({ start: '<', end: '>' });
    const template = await PromptTemplate.from(bytesResource('Movies with music by <composer>.'), { renderer });
    expect(template.render({ composer: 'John Williams' })).toBe('Movies with music by John Williams.');
  });
});

describe('the chapter on structured output', () => {
  const by = async <T>(
    converter: { readonly format: string; convert(text: string): T | Promise<T> },
    text: string,
  ): Promise<T> => {
    const template = new PromptTemplate({
      template: 'List five {subject}\n{format}',
      variables: { subject: 'things', format: converter.format },
    });
    const model = new ScriptedChatModel([text]);
    const { result } = await model.call(template.create());
    expect(model.prompts[0]?.contents).toBe(`List five things\n${converter.format}`);
    return converter.convert(result?.output.text ?? '');
  };

  it('each converter next to a model, without a client', async () => {
    expect(await by(schemaConverter(ActorFilms), JSON.stringify(HANKS))).toEqual(HANKS);
    expect(await by(mapConverter(), '{"numbers":[1,2,3]}')).toEqual({ numbers: [1, 2, 3] });
    expect(await by(listConverter(), 'vanilla, chocolate, "strawberry, wild"')).toEqual([
      'vanilla',
      'chocolate',
      'strawberry, wild',
    ]);
  });

  it('native output for all calls of a client', async () => {
    const model = new ScriptedChatModel([JSON.stringify(HANKS)]);
    const client = ChatClient.builder(model).defaultEntityOptions({ native: true }).build();
    expect(await client.prompt('Films').call().entity(ActorFilms)).toEqual(HANKS);
    expect(model.prompts[0]?.contents).toBe('Films');
    expect(model.prompts[0]?.options.outputSchema).toMatchObject({ required: ['actor', 'movies'] });
  });
});

it('the chapter on multimodality: a picture, by the model and by the client', async () => {
  const model = new ScriptedChatModel(['fruit', 'fruit']);
  const picture = media('image/png', Uint8Array.of(1));
  await model.call(new Prompt(userMessage('What do you see?', { media: [picture] })));
  await ChatClient.create(model)
    .prompt()
    .user((u) => u.text('What do you see?').media(picture))
    .call()
    .content();
  expect(model.prompts[1]?.messages).toEqual(model.prompts[0]?.messages);
});

import {
  AssistantPromptTemplate,
  bytesResource,
  ChatPromptTemplate,
  defaultRenderer,
  jsonSchema,
  media,
  noopRenderer,
  PromptTemplate,
  requirePlaceholders,
  SystemPromptTemplate,
  schemaConverter,
  type TemplateRenderer,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';

describe('PromptTemplate', () => {
  const template = new PromptTemplate({
    template: 'Tell a {adjective} joke about {topic.name}',
    variables: { adjective: 'dry' },
  });

  it('joins its own variables with those given later, which win', () => {
    expect(template.render({ topic: { name: 'cows' } })).toBe('Tell a dry joke about cows');
    expect(template.render({ topic: { name: 'cows' }, adjective: 'wet' })).toBe('Tell a wet joke about cows');
    expect(template.with({ topic: { name: 'owls' } }).render()).toBe('Tell a dry joke about owls');
    expect(() => template.render()).toThrow(expect.objectContaining({ code: 'template', missing: ['topic.name'] }));
  });

  it('takes what is undefined for not given: it hides nothing that is known', () => {
    const template = new PromptTemplate({ template: '{a} {b}', variables: { a: 1 } });
    expect(template.render({ a: undefined, b: 2 })).toBe('1 2');
    expect(template.with({ a: undefined, b: 3 }).render()).toBe('1 3');
    expect(template.render({ a: null, b: 2 })).toBe(' 2');
  });

  it('is not changed by what made it', () => {
    const variables = { a: '1' };
    const made = new PromptTemplate({ template: '{a}', variables });
    variables.a = '2';
    expect(made.render()).toBe('1');
    expect({ ...made }).toEqual({ template: '{a}', variables: { a: '1' } });
  });

  it('makes messages with media and prompts with options', () => {
    const picture = media('image/png', new Uint8Array([1]), { name: 'p' });
    expect(template.createMessage({ topic: { name: 'cows' } }, [picture])).toMatchObject({
      type: 'user',
      media: [picture],
    });
    const prompt = template.create({ topic: { name: 'cows' } }, { temperature: 1 });
    expect(prompt.messages).toMatchObject([{ type: 'user', text: 'Tell a dry joke about cows' }]);
    expect(prompt.options).toEqual({ temperature: 1 });
  });

  it('keeps its renderer', async () => {
    const renderer = defaultRenderer({ start: '<', end: '>' });
    const made = await PromptTemplate.from(bytesResource('<a> {a}'), { variables: { a: 1 }, renderer });
    expect(made.placeholders).toEqual(['a']);
    expect(made.with({ a: 2 }).render()).toBe('2 {a}');
  });

  it('refuses blank text', () => {
    expect(() => new PromptTemplate(' \n')).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'template' }),
    );
  });

  it('reads a resource unless the signal says no', async () => {
    await expect(PromptTemplate.from(bytesResource('hi {x}'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('the output format in a template', () => {
  const { format } = schemaConverter(jsonSchema({ type: 'object', properties: { '{a}': { enum: ['{b}', '}'] } } }));

  it('is text, as a variable and as a part of the template', () => {
    const asVariable = new PromptTemplate('On {topic}:\n{format}');
    expect(asVariable.render({ topic: 'cows', format })).toBe(`On cows:\n${format}`);
    const plain = schemaConverter(jsonSchema({ type: 'object', properties: { a: { enum: ['}', '{'] } } })).format;
    expect(new PromptTemplate(`On {topic}:\n${plain}`).render({ topic: 'cows' })).toBe(`On cows:\n${plain}`);
  });

  it('may hold what looks like a placeholder: other delimiters keep the two apart', () => {
    const renderer = defaultRenderer({ start: '<<', end: '>>' });
    const template = new PromptTemplate({ template: `On <<topic>>:\n${format}`, renderer });
    expect(template.render({ topic: 'cows' })).toBe(`On cows:\n${format}`);
  });
});

it('a renderer of one’s own is asked with all variables', () => {
  const renderer: TemplateRenderer = { render: (text, values) => `${text} ${JSON.stringify(values)}` };
  const template = new PromptTemplate({ template: '%a', variables: { a: 1, b: 2 }, renderer });
  expect(template.with({ c: 3 }).render({ a: 4 })).toBe('%a {"a":4,"b":2,"c":3}');
  expect(template.createMessage().text).toBe('%a {"a":1,"b":2}');
  expect(template.placeholders).toEqual([]);
});

describe('requirePlaceholders', () => {
  it('wants placeholders, not words', () => {
    const template = new PromptTemplate('Answer the query {query} with context');
    requirePlaceholders(template, ['query']);
    expect(() => requirePlaceholders(template, ['query', 'context', 'history'])).toThrow(
      expect.objectContaining({ code: 'template', missing: ['context', 'history'] }),
    );
  });

  it('does not trust a renderer that lists none', () => {
    const template = new PromptTemplate({ template: '{a}', renderer: noopRenderer });
    expect(() => requirePlaceholders(template, ['a'])).toThrow(expect.objectContaining({ code: 'template' }));
    requirePlaceholders(template, []);
  });
});

describe('templates of the other roles', () => {
  it('make their own kind of message, in prompts too', async () => {
    const system = await SystemPromptTemplate.from(bytesResource('You are {name}.'), { variables: { name: 'Bob' } });
    expect(system.createMessage()).toMatchObject({ type: 'system', text: 'You are Bob.' });
    expect(system.create({ name: 'Ann' }, { temperature: 0 }).messages).toMatchObject([
      { type: 'system', text: 'You are Ann.' },
    ]);
    const assistant = new AssistantPromptTemplate('I am {name}');
    expect(assistant.render({ name: 'x' })).toBe('I am x');
    expect(assistant.create({ name: 'x' }).messages).toMatchObject([{ type: 'assistant', text: 'I am x' }]);
    expect((await AssistantPromptTemplate.from(bytesResource('Yes'))).createMessage()).toMatchObject({
      type: 'assistant',
      text: 'Yes',
    });
  });

  it('make a conversation together', () => {
    const chat = new ChatPromptTemplate([
      new SystemPromptTemplate('You are {name}.'),
      new PromptTemplate({ template: 'A {adjective} joke, {"as": "json"}', variables: { adjective: 'dry' } }),
      new AssistantPromptTemplate('{name} says'),
    ]);
    expect(chat.createMessages({ name: 'Bob' })).toMatchObject([
      { type: 'system', text: 'You are Bob.' },
      { type: 'user', text: 'A dry joke, {"as": "json"}' },
      { type: 'assistant', text: 'Bob says' },
    ]);
    expect(chat.render({ name: 'B' })).toBe('You are B.A dry joke, {"as": "json"}B says');
    expect(chat.create({ name: 'B' }, { maxTokens: 5 }).options).toEqual({ maxTokens: 5 });
    expect(() => new ChatPromptTemplate([])).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

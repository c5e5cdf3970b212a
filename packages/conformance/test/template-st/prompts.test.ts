import { QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient } from '@vernal/client-chat';
import { ChatPromptTemplate, document, PromptTemplate, SystemPromptTemplate, TemplateError } from '@vernal/core';
import { StTemplateRenderer } from '@vernal/template-st';
import { hashingEmbeddingModel, ScriptedChatModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const renderer = new StTemplateRenderer();

describe('StTemplateRenderer', () => {
  it('renders templates of every role', () => {
    const list = '{names:{n | {i}. {n}}; separator="\\n"}';
    const chat = new ChatPromptTemplate([
      new SystemPromptTemplate({ template: 'You know\n  {names; separator="\\n"}', renderer }),
      new PromptTemplate({ template: list, variables: { names: ['Ada'] }, renderer }).with({ names: ['Ada', 'Bob'] }),
    ]);
    expect(
      chat
        .createMessages({ names: ['Cy', 'Di'] })
        .map((message) => [message.type, 'text' in message ? message.text : undefined]),
    ).toEqual([
      ['system', 'You know\n  Cy\n  Di'],
      ['user', '1. Cy\n2. Di'],
    ]);
    expect(new PromptTemplate({ template: list, renderer }).placeholders).toEqual(['names']);
    expect(() => new PromptTemplate({ template: list, renderer }).render()).toThrow(TemplateError);
  });

  it('renders the texts of a chat client, and of no other request', async () => {
    const model = new ScriptedChatModel(['one', 'two']);
    const client = ChatClient.create(model);
    await client
      .prompt()
      .templateRenderer(new StTemplateRenderer({ start: '<', end: '>' }))
      .system((s) => s.text('<if(strict)>Answer with {"ok": true}.<else>Chat.<endif>').param('strict', true))
      .user((u) => u.text('Compare <cities; separator=" and ">').param('cities', ['Rome', '<cities>']))
      .call()
      .content();
    await client
      .prompt()
      .user((u) => u.text('{if(x)} <x>').param('y', 1))
      .call()
      .content();
    expect(model.prompts[0]?.systemMessage.text).toBe('Answer with {"ok": true}.');
    expect(model.prompts[0]?.userMessage.text).toBe('Compare Rome and <cities>');
    expect(model.prompts[1]?.userMessage.text).toBe('{if(x)} <x>');
  });

  it('is the default of a builder, and fails before the model is asked', async () => {
    const model = new ScriptedChatModel(['one']);
    const client = ChatClient.builder(model).defaultTemplateRenderer(renderer).build();
    const asked = client.prompt().user((u) => u.text('{a} {b:{x | {x}}}').param('a', 1));
    await expect(asked.call().content()).rejects.toMatchObject({ code: 'template', missing: ['b'] });
    expect(model.prompts).toEqual([]);
    expect(
      await asked
        .user((u) => u.param('b', []))
        .call()
        .content(),
    ).toBe('one');
  });

  it('renders the template of an advisor, whose documents are never rendered', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await vectorStore.add([document('Returns are {free} and {if(x)}.')]);
    const template = '{query}\n{if(question_answer_context)}\n\\{\n  {question_answer_context}\n\\}\n{endif}';
    const model = new ScriptedChatModel(['ok']);
    const advisor = new QuestionAnswerAdvisor({
      vectorStore,
      promptTemplate: new PromptTemplate({ template, renderer }),
    });
    await ChatClient.create(model).prompt('Are returns {free}?').advisors(advisor).call().content();
    const text = model.prompts[0]?.userMessage.text;
    expect(text).toMatch(/^Are returns \{free\}\?\n\{\n {2}<documents>\n/);
    expect(text).toContain('\n  Returns are {free} and {if(x)}.\n');
    expect(text?.endsWith('\n  </documents>\n}\n')).toBe(true);
    const wrong = new PromptTemplate({
      template: '{question_answer_context:{query | {query}}}',
      renderer,
    });
    expect(() => new QuestionAnswerAdvisor({ vectorStore, promptTemplate: wrong })).toThrow(
      expect.objectContaining({ code: 'template', missing: ['query'] }),
    );
  });
});

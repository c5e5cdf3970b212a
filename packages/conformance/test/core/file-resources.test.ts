import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatClient } from '@vernal/client-chat';
import { AssistantPromptTemplate, mediaBytes, mediaFrom, PromptTemplate, SystemPromptTemplate } from '@vernal/core';
import { fileResource } from '@vernal/node';
import { ScriptedChatModel } from '@vernal/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vernal-prompts-'));
  await writeFile(join(folder, 'system.st'), 'You are {name}. Answer like {"city": "…"}.');
  await writeFile(join(folder, 'question.txt'), 'Qu’est-ce que c’est? {literal}');
  await writeFile(join(folder, 'fruit.png'), Uint8Array.of(137, 80, 78, 71));
});
afterAll(() => rm(folder, { recursive: true }));

const file = (name: string): ReturnType<typeof fileResource> => fileResource(join(folder, name));

it('templates of every role come from files', async () => {
  const wanted = 'You are Bob. Answer like {"city": "…"}.';
  for (const Template of [PromptTemplate, SystemPromptTemplate, AssistantPromptTemplate]) {
    const template = await Template.from(file('system.st'), { variables: { name: 'Ann' } });
    expect(template.render({ name: 'Bob' })).toBe(wanted);
    expect(template.create({ name: 'Bob' }).contents).toBe(wanted);
  }
  await expect(PromptTemplate.from(file('none.st'))).rejects.toMatchObject({ code: 'resource' });
});

it('media come from files, with the type that the file has and a name that says nothing of its place', async () => {
  const picture = await mediaFrom(file('fruit.png'));
  expect(picture.mimeType).toBe('image/png');
  expect([...mediaBytes(picture)]).toEqual([137, 80, 78, 71]);
  expect(JSON.stringify(picture)).not.toContain('fruit');
});

it('a client reads texts and media from files, when a call runs', async () => {
  const model = new ScriptedChatModel(['A bowl of fruit.', 'A bowl of fruit.']);
  const client = ChatClient.builder(model)
    .defaultSystem((s) => s.text(file('system.st')).param('name', 'Bob'))
    .build();
  await client
    .prompt()
    .user((u) => u.text('Explain what you see on this picture.').media('image/png', file('fruit.png')))
    .call()
    .content();
  await client.prompt().user(file('question.txt')).call().content();
  expect(model.prompts[0]?.systemMessage.text).toBe('You are Bob. Answer like {"city": "…"}.');
  expect(model.prompts[0]?.userMessage.media).toMatchObject([
    { mimeType: 'image/png', source: { type: 'bytes', bytes: Uint8Array.of(137, 80, 78, 71) } },
  ]);
  expect(model.prompts[1]?.userMessage.text).toBe('Qu’est-ce que c’est? {literal}');
  await expect(client.prompt().user(file('none.txt')).call().content()).rejects.toMatchObject({ code: 'resource' });
});

import { ChatClient } from '@vernal/client-chat';
import { jsonSchema, type Logger, media, tool } from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

const hammer = tool({ name: 'hammer', execute: () => 'bang' });
const picture = media('image/png', 'https://example.com/a.png');
const sound = media('audio/mp3', 'https://example.com/a.mp3');

const wishes: Record<string, { ask: (client: ChatClient) => ReturnType<ChatClient['prompt']>; capability: string }> = {
  tools: { ask: (client) => client.prompt('q').tools(hammer), capability: 'tools' },
  'a tool choice': {
    ask: (client) => client.prompt('q').options({ toolChoice: 'required' }),
    capability: 'toolChoice',
  },
  'an output schema': {
    ask: (client) => client.prompt('q').options({ outputSchema: { type: 'object' } }),
    capability: 'outputSchema',
  },
  'an option': { ask: (client) => client.prompt('q').options({ topK: 3 }), capability: 'topK' },
  media: {
    ask: (client) => client.prompt().user((u) => u.text('q').media(picture, sound)),
    capability: 'media.input.audio/mp3',
  },
};

function poorModel(): HandWrittenModel {
  return new HandWrittenModel(['ok'], { tools: false, mediaInput: ['image/*'], unsupportedOptions: ['topK'] });
}

describe.each(Object.entries(wishes))('%s that the model does not declare', (_, { ask, capability }) => {
  it('is refused by default, in both modes', async () => {
    const model = poorModel();
    const spec = ask(ChatClient.create(model));
    const refused = { code: 'unsupported_capability', capability, owner: 'hand' };
    await expect(spec.call().content()).rejects.toMatchObject(refused);
    await expect(collect(spec.stream().content())).rejects.toMatchObject(refused);
    expect(model.prompts).toHaveLength(0);
  });

  it('is left out with a warning, when the client says so', async () => {
    const warnings: unknown[] = [];
    const logger: Logger = { debug() {}, info() {}, warn: (_line, data) => warnings.push(data) };
    const model = poorModel();
    const spec = ask(ChatClient.create(model, { onUnsupported: 'warn', logger }));
    expect(await spec.call().content()).toBe('ok');
    expect((await collect(spec.stream().content())).join('')).toBe('ok');
    expect(warnings).toEqual([
      { model: 'hand', capabilities: [capability] },
      { model: 'hand', capabilities: [capability] },
    ]);
    for (const { options, userMessage } of model.prompts) {
      expect(Object.values(options).filter((value) => value !== null)).toEqual([]);
      expect(userMessage.media.map(({ mimeType }) => mimeType)).not.toContain('audio/mp3');
    }
  });
});

it('what the model declares goes through untouched', async () => {
  const model = new HandWrittenModel(['ok'], { mediaInput: ['*/*'], toolChoice: true, outputSchema: 'json' });
  await ChatClient.create(model)
    .prompt()
    .user((u) => u.text('q').media(picture, sound))
    .options({ topK: 3, toolChoice: 'none', outputSchema: { type: 'object' } })
    .tools(hammer)
    .call()
    .content();
  expect(model.prompts[0]?.options).toMatchObject({ topK: 3, toolChoice: 'none', outputSchema: { type: 'object' } });
  expect(model.prompts[0]?.userMessage.media).toHaveLength(2);
});

it('an entity in words asks nothing of the model', async () => {
  const model = new HandWrittenModel(['{"a":1}'], { tools: false });
  const schema = jsonSchema<{ a: number }>({ type: 'object' });
  expect(await ChatClient.create(model).prompt('q').call().entity(schema)).toEqual({ a: 1 });
});

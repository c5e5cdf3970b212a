import { assistantMessage, media, Prompt, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import { describe, expect, it } from 'vitest';

const tool = toolResponseMessage([{ id: '1', name: 'f', result: 'r' }]);
const full = new Prompt([
  systemMessage('s1'),
  userMessage('u1'),
  assistantMessage('a'),
  userMessage('u2'),
  tool,
  systemMessage('s2'),
]);

describe('Prompt', () => {
  it('takes text, a message, and a list', () => {
    expect(new Prompt('hi').messages).toEqual([userMessage('hi')]);
    expect(new Prompt(systemMessage('s')).messages).toEqual([systemMessage('s')]);
    expect(new Prompt([]).messages).toEqual([]);
    expect(new Prompt('hi').options).toEqual({});
  });

  it('finds messages by role', () => {
    expect(full.userMessage.text).toBe('u2');
    expect(full.systemMessage.text).toBe('s1');
    expect(full.userMessages.map((m) => m.text)).toEqual(['u1', 'u2']);
    expect(full.systemMessages.map((m) => m.text)).toEqual(['s1', 's2']);
    expect(full.lastUserOrToolResponseMessage).toBe(tool);
    expect(full.contents).toBe('s1u1au2rs2');
  });

  it('gives empty messages where there are none', () => {
    const empty = new Prompt([]);
    expect(empty.userMessage).toEqual(userMessage(''));
    expect(empty.systemMessage).toEqual(systemMessage(''));
    expect(empty.lastUserOrToolResponseMessage).toEqual(userMessage(''));
    expect(empty.contents).toBe('');
  });

  it('does not change with the list it was given', () => {
    const messages = [userMessage('a')];
    const prompt = new Prompt(messages);
    messages.push(userMessage('b'));
    expect(prompt.messages).toHaveLength(1);
  });

  it('refuses holes and names them', () => {
    expect(() => new Prompt([userMessage('a'), undefined] as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'messages[1]' }),
    );
    expect(() => new Prompt(null as never)).toThrow(expect.objectContaining({ subject: 'messages' }));
    const foreign = { role: 'user', content: 'a message of another library' };
    expect(() => new Prompt([foreign] as never)).toThrow(expect.objectContaining({ subject: 'messages[0]' }));
    expect(() => new Prompt(foreign as never)).toThrow(expect.objectContaining({ subject: 'messages' }));
  });

  it('augments the last user message and keeps its media', () => {
    const photo = media('image/png', new Uint8Array(1));
    const prompt = new Prompt(
      [userMessage('a'), userMessage('b', { media: [photo], metadata: { k: 1 } }), assistantMessage('c')],
      { topK: 1 },
    );
    const augmented = prompt.augmentUserMessage('B');
    expect(augmented.messages).toEqual([
      userMessage('a'),
      userMessage('B', { media: [photo], metadata: { k: 1 } }),
      assistantMessage('c'),
    ]);
    expect(augmented.options).toBe(prompt.options);
    expect(prompt.userMessage.text).toBe('b');
    expect(prompt.augmentUserMessage((m) => userMessage(`${m.text}!`)).userMessage).toEqual(userMessage('b!'));
    expect(new Prompt([]).augmentUserMessage('x').messages).toEqual([userMessage('x')]);
    expect(new Prompt([assistantMessage('c')]).augmentUserMessage('x').messages).toEqual([
      assistantMessage('c'),
      userMessage('x'),
    ]);
  });

  it('augments the first system message in place, or puts one in front', () => {
    expect(full.augmentSystemMessage('S').messages[0]).toEqual(systemMessage('S'));
    expect(full.augmentSystemMessage('S').messages.at(-1)).toEqual(systemMessage('s2'));
    expect(new Prompt('u').augmentSystemMessage((m) => systemMessage(`[${m.text}]`)).messages).toEqual([
      systemMessage('[]'),
      userMessage('u'),
    ]);
  });

  it('merges options and keeps what unsets', () => {
    const prompt = new Prompt('u', { temperature: 1, topK: 2 });
    const changed = prompt.withOptions({ topK: null, maxTokens: 3, temperature: undefined });
    expect(changed.options).toStrictEqual({ temperature: 1, topK: null, maxTokens: 3 });
    expect(prompt.options).toStrictEqual({ temperature: 1, topK: 2 });
    expect(changed.withMessages([systemMessage('s')])).toMatchObject({
      messages: [systemMessage('s')],
      options: changed.options,
    });
  });
});

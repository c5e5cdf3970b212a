// Loops that a user drives himself: over a model, with a memory, and over a client that hands tool calls back.
import { ChatClient } from '@vernal/client-chat';
import {
  type ChatOptions,
  fold,
  hasToolCalls,
  MessageWindowChatMemory,
  Prompt,
  responseText,
  systemMessage,
  Tool,
  ToolCallingManager,
  toolsFrom,
  userMessage,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

class MathTools {
  @Tool({ description: 'Product of two numbers', input: z.object({ a: z.number(), b: z.number() }) })
  multiply({ a, b }: { a: number; b: number }): number {
    return a * b;
  }
}

const tools = toolsFrom(new MathTools());
const multiply: ScriptStep = { text: 'Let me see. ', toolCalls: [{ name: 'multiply', arguments: { a: 6, b: 8 } }] };
const manager = new ToolCallingManager();

describe('a loop of one’s own', () => {
  it('asks a model until its answer calls no tool', async () => {
    const model = new ScriptedChatModel([multiply, multiply, 'It is 48.']);
    let prompt = new Prompt('What is 6 * 8?', { tools });
    let response = await model.call(prompt);
    while (hasToolCalls(response)) {
      const { conversationHistory } = await manager.executeToolCalls(prompt, response);
      prompt = prompt.withMessages(conversationHistory);
      response = await model.call(prompt);
    }
    expect(responseText(response)).toBe('It is 48.');
    expect(prompt.messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(prompt.messages.at(-1)).toMatchObject({ responses: [{ name: 'multiply', result: '48' }] });
  });

  it('keeps its conversation in a memory', async () => {
    const model = new ScriptedChatModel([
      multiply,
      'It is 48.',
      ({ messages }) => `You said ${messages.length} things`,
    ]);
    const chatMemory = new MessageWindowChatMemory();
    const options: ChatOptions = { tools };
    const ask = async (): Promise<ReturnType<typeof responseText>> => {
      for (;;) {
        const prompt = new Prompt(await chatMemory.get('c'), options);
        const response = await model.call(prompt);
        if (response.result !== undefined) await chatMemory.add('c', response.result.output);
        if (!hasToolCalls(response)) return responseText(response);
        const { conversationHistory } = await manager.executeToolCalls(prompt, response);
        await chatMemory.add('c', conversationHistory.slice(-1));
      }
    };
    await chatMemory.add('c', [systemMessage('You are a helpful assistant.'), userMessage('What is 6 * 8?')]);
    expect(await ask()).toBe('It is 48.');
    await chatMemory.add('c', userMessage('What did I ask you earlier?'));
    expect(await ask()).toBe('You said 6 things');
  });

  it('sees every chunk of a client that hands tool calls back', async () => {
    const model = new ScriptedChatModel([multiply, 'It is 48.']);
    const client = ChatClient.builder(model).defaultTools(tools).toolCalling(false).build();
    let prompt = new Prompt('What is 6 * 8?', { tools });
    const seen: string[] = [];
    for (;;) {
      const chunks = [];
      for await (const chunk of client.prompt(prompt.messages).stream().chatResponse()) {
        seen.push(responseText(chunk));
        chunks.push(chunk);
      }
      const response = await fold(chunks);
      if (!hasToolCalls(response)) break;
      prompt = prompt.withMessages((await manager.executeToolCalls(prompt, response)).conversationHistory);
    }
    expect(seen.join('')).toBe('Let me see. It is 48.');
    model.assertComplete();
  });

  it('ends on a tool whose result is the answer', async () => {
    class Direct {
      @Tool({ returnDirect: true })
      today(): string {
        return '2026-01-01';
      }
    }
    const model = new ScriptedChatModel([{ toolCalls: [{ name: 'today', arguments: {} }] }]);
    const prompt = new Prompt('Which day is it?', { tools: toolsFrom(new Direct()) });
    const result = await manager.executeToolCalls(prompt, await model.call(prompt));
    expect(result.returnDirect).toBe(true);
    expect(result.conversationHistory.at(-1)).toMatchObject({ responses: [{ result: '2026-01-01' }] });
  });
});

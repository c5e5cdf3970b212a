import {
  Prompt,
  resumeToolRound,
  runToolRound,
  ToolCallingManager,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { asking, calling } from './tool-calls.js';

const now = tool({ name: 'now', execute: () => 'noon' });
const direct = tool({
  name: 'direct',
  returnDirect: true,
  execute: () => ({ a: 1 }),
  convertResult: () => ({ text: 'one', structured: { a: 1 } }),
});
const tools = [now, direct];
const prompt = (toolChoice?: 'required') =>
  new Prompt('q', { tools, temperature: 0.5, ...(toolChoice ? { toolChoice } : {}) });

describe('runToolRound', () => {
  it('goes on with the grown conversation and the same options', async () => {
    const outcome = await runToolRound(new ToolCallingManager(), prompt(), asking(calling('1', 'now')));
    expect(outcome).toMatchObject({ type: 'continue', prompt: { options: { temperature: 0.5, tools } } });
    expect(outcome.type === 'continue' && outcome.prompt.messages.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    expect(outcome.type === 'continue' && outcome.prompt.options.toolChoice).toBeUndefined();
    const forced = await runToolRound(new ToolCallingManager(), prompt('required'), asking(calling('1', 'now')));
    expect(forced).toMatchObject({ type: 'continue', prompt: { options: { toolChoice: 'auto' } } });
  });

  it('finishes with the result of a direct tool', async () => {
    const outcome = await runToolRound(new ToolCallingManager(), prompt(), asking(calling('1', 'direct')));
    expect(outcome).toMatchObject({
      type: 'finish',
      response: {
        results: [
          {
            output: { text: 'one' },
            metadata: { finishReason: 'return_direct', toolId: '1', toolName: 'direct', structured: { a: 1 } },
          },
        ],
      },
    });
    expect(outcome.type === 'finish' && outcome.messages).toHaveLength(3);
  });

  it('finishes at a limit with a history in which every call is answered', async () => {
    const manager = new ToolCallingManager({ limits: { perTool: 1 } });
    const outcome = await runToolRound(
      manager,
      prompt(),
      asking(calling('1', 'now', ''), calling('2', 'now', '{'), calling('3', 'direct')),
    );
    const partialToolResponses = [{ id: '1', name: 'now', result: 'noon' }];
    expect(outcome).toMatchObject({
      type: 'finish',
      response: { result: { metadata: { finishReason: 'tool_call_limit', partialToolResponses } } },
    });
    const messages = outcome.type === 'finish' ? outcome.messages : [];
    expect(messages.at(-2)).toMatchObject({
      toolCalls: [{ arguments: '{}' }, { arguments: '{"unparsedArguments":"{"}' }, { arguments: '{}' }],
    });
    expect(messages.at(-1)).toEqual(
      toolResponseMessage([
        ...partialToolResponses,
        ...[calling('2', 'now'), calling('3', 'direct')].map(({ id, name }) => ({
          id,
          name,
          result: "Tool 'now' may be called once a turn, which is used up. Do not call it again.",
          isError: true,
        })),
      ]),
    );
  });

  it('ends cancelled after an abort', async () => {
    const outcome = await runToolRound(new ToolCallingManager(), prompt(), asking(calling('1', 'direct')), {
      signal: AbortSignal.abort(),
    });
    expect(outcome).toMatchObject({
      type: 'cancelled',
      messages: [{}, {}, { responses: [{ id: '1', result: 'cancelled', isError: true }] }],
    });
  });

  it('hands over what waits, and goes on when it was decided', async () => {
    const manager = new ToolCallingManager({ approvalKey: new Uint8Array(32), approve: () => ({ type: 'defer' }) });
    const waiting = await runToolRound(manager, new Prompt([userMessage('q')], { tools }), asking(calling('1', 'now')));
    if (waiting.type !== 'pending') throw new Error(waiting.type);
    const pending = await manager.suspend(waiting.result);
    expect(await resumeToolRound(manager, pending, {}, { tools })).toMatchObject({ type: 'pending' });
    expect(await resumeToolRound(manager, pending, { '1': { type: 'approve' } }, { tools })).toMatchObject({
      type: 'continue',
      prompt: { messages: [{}, {}, { responses: [{ result: 'noon' }] }], options: { tools } },
    });
  });
});

import {
  assistantMessage,
  type Message,
  Prompt,
  ToolCallingManager,
  ToolLimitError,
  type ToolLimits,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';
import { asking, calling, responsesOf } from './tool-calls.js';

const execute = vi.fn(() => 'ok');
const tools = ['a', 'b'].map((name) => tool({ name, execute }));

/** A finished round in which the tools of these names were called. */
function round(...names: readonly string[]): Message[] {
  return [
    assistantMessage({ toolCalls: names.map((name, index) => calling(`${index}`, name)) }),
    toolResponseMessage(names.map((name, index) => ({ id: `${index}`, name, result: 'ok' }))),
  ];
}

async function run(limits: ToolLimits | undefined, history: readonly Message[], ...names: readonly string[]) {
  execute.mockClear();
  const manager = new ToolCallingManager({ limits });
  const prompt = new Prompt([userMessage('q'), ...history], { tools });
  const work = manager.executeToolCalls(prompt, asking(...names.map((name, index) => calling(`n${index}`, name))));
  return work.then(
    (result) => ({ responses: responsesOf(result), error: undefined }),
    (error: unknown) => ({ responses: [], error: ToolLimitError.is(error) ? error : undefined }),
  );
}

const times = (count: number, ...names: readonly string[]) =>
  Array.from({ length: count }, () => round(...names)).flat();

describe('limits of a turn', () => {
  it('are 40 a tool and 150 in all by default', async () => {
    expect((await run(undefined, times(39, 'a'), 'a')).error).toBeUndefined();
    expect((await run(undefined, times(40, 'a'), 'a')).error).toMatchObject({
      code: 'tool_limit',
      toolName: 'a',
      limit: 40,
    });
    const others = ['c', 'd', 'e', 'f', 'g', 'h'].flatMap((name) => times(25, name));
    const all = await run(undefined, others, 'a');
    expect(all.error).toMatchObject({ limit: 150 });
    expect(all.error?.toolName).toBeUndefined();
    expect((await run(undefined, others.slice(0, -2), 'a')).error).toBeUndefined();
  });

  it('count from the last user message', async () => {
    const earlier = [...times(3, 'a', 'b'), assistantMessage('there'), userMessage('again')];
    expect((await run({ perTool: 1 }, earlier, 'a', 'b')).error).toBeUndefined();
    expect((await run({ perTool: 1 }, [...earlier, ...round('a')], 'a')).error).toMatchObject({ limit: 1 });
  });

  it('count calls that failed or went to no tool', async () => {
    const refused: Message[] = [
      assistantMessage({ toolCalls: [calling('0', 'a', '{'), calling('1', 'none')] }),
      toolResponseMessage(['a', 'none'].map((name, id) => ({ id: `${id}`, name, result: 'no', isError: true }))),
    ];
    expect((await run({ perTool: 1 }, refused, 'a')).error).toMatchObject({ toolName: 'a' });
    expect((await run({ perTool: 1 }, refused, 'none')).error).toMatchObject({ toolName: 'none' });
    expect((await run({ total: 2 }, refused, 'b')).error).toMatchObject({ limit: 2 });
  });

  it('run the calls before the breach and hand their answers over', async () => {
    const { error } = await run({ perTool: 2 }, round('a'), 'b', 'a', 'a', 'b');
    expect(error?.partial).toEqual([
      { id: 'n0', name: 'b', result: 'ok' },
      { id: 'n1', name: 'a', result: 'ok' },
    ]);
    expect(execute).toHaveBeenCalledTimes(2);
    expect(error?.message).toContain("'a' may be called 2 times a turn");
    expect(error?.details).toEqual({ onExceeded: 'stop' });
  });

  it('can be set by tool, or off', async () => {
    const limits: ToolLimits = { perTool: 1, perToolOverrides: { a: 'unlimited', b: 2 }, total: 'unlimited' };
    expect((await run(limits, times(200, 'a'), 'a')).error).toBeUndefined();
    expect((await run(limits, [], 'b', 'b')).error).toBeUndefined();
    expect((await run(limits, [], 'b', 'b', 'b')).error).toMatchObject({ toolName: 'b', limit: 2 });
    expect((await run({ perTool: 'unlimited', total: 3 }, round('a', 'a'), 'a', 'b')).error).toMatchObject({
      limit: 3,
    });
  });

  it("'throw' says so to whoever catches it", async () => {
    expect((await run({ perTool: 1, onExceeded: 'throw' }, round('a'), 'a')).error?.details).toEqual({
      onExceeded: 'throw',
    });
  });

  it("'answer' tells the model once, goes on with other tools, and stops the next time", async () => {
    const limits: ToolLimits = { perTool: 1, onExceeded: 'answer' };
    const first = await run(limits, round('a'), 'a', 'b', 'a');
    expect(first.responses.map(({ isError }) => isError ?? false)).toEqual([true, false, true]);
    expect(first.responses[0]?.result).toContain('used up');
    const told: Message[] = [...round('a'), ...round('a', 'b', 'a')];
    expect((await run(limits, told, 'a')).error).toMatchObject({ toolName: 'a' });
    expect((await run(limits, told, 'b')).error).toMatchObject({ toolName: 'b', details: { onExceeded: 'answer' } });
  });

  it("'answer' counts for the limit of all tools too", async () => {
    const limits: ToolLimits = { total: 2, onExceeded: 'answer' };
    const first = await run(limits, round('a', 'b'), 'a');
    expect(first.responses).toMatchObject([{ isError: true }]);
    expect((await run(limits, round('a', 'b', 'a'), 'b')).error).toMatchObject({ limit: 2 });
  });
});

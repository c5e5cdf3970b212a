import {
  type ToolCallback,
  ToolCallingManager,
  ToolExecutionError,
  type ToolExecutionErrorOptions,
  tool,
  VernalError,
} from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answer, calling, responsesOf, runRound } from './tool-calls.js';

const weather = tool({ name: 'get_weather', input: z.object({ city: z.string() }), execute: () => 'rain' });
const time = tool({ name: 'get_time', execute: () => 'noon' });

function failing(name: string, thrown: unknown): ToolCallback {
  return tool({
    name,
    execute: () => {
      throw thrown;
    },
  });
}

const toolError = (message: string, options: Partial<ToolExecutionErrorOptions> = {}) =>
  new ToolExecutionError(message, { toolName: 'x', ...options });

describe('a tool that does not exist', () => {
  const calls = [calling('u1', 'central_list_sites'), calling('u2', 'get_time')];

  it('is answered with those that do; the other calls count', async () => {
    expect(await answer(new ToolCallingManager(), [weather, time], calls)).toEqual([
      {
        id: 'u1',
        name: 'central_list_sites',
        result: "Tool 'central_list_sites' does not exist. Available tools: get_weather, get_time.",
        isError: true,
      },
      { id: 'u2', name: 'get_time', result: 'noon' },
    ]);
    const [alone] = await answer(new ToolCallingManager(), [], [calling('u1', 'x')]);
    expect(alone?.result).toBe("Tool 'x' does not exist. No tools are available.");
  });

  it('is an error with throwOnError, before anything has run', async () => {
    const execute = vi.fn();
    const manager = new ToolCallingManager({ throwOnError: true });
    await expect(answer(manager, [tool({ name: 'get_time', execute })], calls)).rejects.toMatchObject({
      code: 'tool_not_found',
      subject: 'central_list_sites',
    });
    expect(execute).not.toHaveBeenCalled();
  });
});

describe('a tool that throws', () => {
  const cycle: Record<string, unknown> = { name: 'x' };
  cycle['self'] = cycle;

  it('leaves the other calls of the round alone', async () => {
    let late: (error: Error) => void = () => {};
    const tools: ToolCallback[] = [
      tool({ name: 'a', execute: () => 'fine' }),
      failing('b', new Error('disk PATH-7f1 failed')),
      tool({ name: 'c', execute: () => Promise.reject('text') }),
      failing('d', undefined),
      failing('e', cycle),
      {
        definition: { name: 'f', description: 'f', inputSchema: {} },
        metadata: { returnDirect: false },
        call() {
          throw new Error('at once');
        },
      },
      tool({ name: 'g', execute: () => new Promise((_, reject) => (late = reject)) }),
    ];
    const work = answer(
      new ToolCallingManager(),
      tools,
      tools.map(({ definition }) => calling(definition.name, definition.name)),
    );
    for (let i = 0; i < 20; i++) await Promise.resolve();
    late(new Error('late'));
    const responses = await work;
    expect(responses.map(({ id }) => id).join('')).toBe('abcdefg');
    expect(responses.map(({ isError }) => isError ?? false)).toEqual([false, true, true, true, true, true, true]);
    for (const { result } of responses) {
      expect(result).not.toBe('');
      expect(result).not.toMatch(/PATH-7f1|\bat .*:\d+/);
    }
  });

  it('reaches the processor and the logger, contents only the former', async () => {
    const thrown = new Error('disk PATH-7f1 failed');
    const warn = vi.fn();
    const seen: ToolExecutionError[] = [];
    const manager = new ToolCallingManager({
      logger: { debug: () => {}, info: () => {}, warn },
      exceptionProcessor: (error) => {
        seen.push(error);
        return { text: 'try another disk', structured: { retry: false } };
      },
    });
    expect(await answer(manager, [failing('b', thrown)], [calling('1', 'b')])).toEqual([
      { id: '1', name: 'b', result: 'try another disk', structured: { retry: false }, isError: true },
    ]);
    expect(seen).toMatchObject([{ toolName: 'b', toolCallId: '1', cause: thrown }]);
    expect(warn).toHaveBeenCalledExactlyOnceWith('A tool call failed', {
      tool: 'b',
      toolCallId: '1',
      code: 'tool_execution',
      cause: expect.objectContaining({ message: '' }),
    });
    // Where it was thrown is no content.
    const [, told] = warn.mock.calls[0] as [string, { readonly cause: Error }];
    expect(told.cause.stack).toContain('tool-failures.test.ts');
    expect(told.cause.stack).not.toContain('PATH-7f1');
  });

  it('is no error to the model if the processor says so', async () => {
    const manager = new ToolCallingManager({
      exceptionProcessor: async () => ({ text: 'nothing found', isError: false }),
    });
    expect(await answer(manager, [failing('b', new Error('x'))], [calling('1', 'b')])).toEqual([
      { id: '1', name: 'b', result: 'nothing found', isError: false },
    ]);
  });

  it('may be passed to the caller by the processor, by throwOnError, or as fatal', async () => {
    const rethrow = new ToolCallingManager({
      exceptionProcessor: (error) => {
        throw error;
      },
    });
    const thrown = new Error('x');
    await expect(answer(rethrow, [failing('b', thrown)], [calling('1', 'b')])).rejects.toMatchObject({
      toolName: 'b',
      cause: thrown,
    });
    const strict = new ToolCallingManager({ throwOnError: true });
    await expect(answer(strict, [failing('b', thrown)], [calling('1', 'b')])).rejects.toMatchObject({
      code: 'tool_execution',
      cause: thrown,
    });
    const fatal = toolError('licence expired', { fatal: true });
    const processor = vi.fn(() => 'never');
    await expect(
      answer(new ToolCallingManager({ exceptionProcessor: processor }), [failing('b', fatal)], [calling('1', 'b')]),
    ).rejects.toBe(fatal);
    expect(processor).not.toHaveBeenCalled();
  });

  it('ends the other calls when it goes to the caller', async () => {
    let signal: AbortSignal | undefined;
    const endless = tool({
      name: 'endless',
      execute: (_, context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
    });
    const never = vi.fn();
    const manager = new ToolCallingManager({ throwOnError: true, maxConcurrency: 2 });
    const work = answer(
      manager,
      [endless, failing('b', new Error('x')), tool({ name: 'never', execute: never })],
      [calling('1', 'endless'), calling('2', 'b'), calling('3', 'never')],
    );
    await expect(work).rejects.toMatchObject({ toolName: 'b' });
    expect(signal?.aborted).toBe(true);
    expect(never).not.toHaveBeenCalled();
  });

  it('tells the model the words of a VernalError', async () => {
    const known = new VernalError('The store is closed', { code: 'store_read' });
    const [response] = await answer(new ToolCallingManager(), [failing('b', known)], [calling('1', 'b')]);
    expect(response?.result).toBe("Tool 'b' failed: The store is closed");
  });
});

describe('arguments that are wrong', () => {
  it.each([
    '{"city":"Delft',
    '{city: "Delft"}',
    '{"city":"Delft"}}',
    '<tool>Delft</tool>',
    '{"city":"Delft",}',
    '["Delft"]',
    '"Delft"',
    '5',
  ])('are answered, and the message can be sent again: %s', async (text) => {
    const result = await runRound(new ToolCallingManager(), [weather], [calling('1', 'get_weather', text)]);
    expect(responsesOf(result)).toMatchObject([
      { id: '1', name: 'get_weather', isError: true, result: expect.stringContaining('get_weather') },
    ]);
    const sent = result.conversationHistory[1];
    expect(sent?.type === 'assistant' && sent.toolCalls.map((call) => JSON.parse(call.arguments))).toEqual([
      { unparsedArguments: text },
    ]);
  });

  it('that are JSON objects stay as the model wrote them', async () => {
    for (const text of ['{"city":2512292042121000001}', '{"town":"Delft"}']) {
      const result = await runRound(new ToolCallingManager(), [weather], [calling('1', 'get_weather', text)]);
      expect(responsesOf(result)[0]?.isError).toBe(true);
      expect(result.conversationHistory[1]).toMatchObject({ toolCalls: [{ arguments: text }] });
    }
  });

  it('of tools that do not exist are mended too', async () => {
    const result = await runRound(new ToolCallingManager(), [], [calling('1', 'x', ''), calling('2', 'y', '{')]);
    expect(result.conversationHistory[1]).toMatchObject({
      toolCalls: [{ arguments: '{}' }, { arguments: '{"unparsedArguments":"{"}' }],
    });
  });

  it('go to the caller with throwOnError', async () => {
    const manager = new ToolCallingManager({ throwOnError: true });
    await expect(answer(manager, [weather], [calling('7', 'get_weather', '{}')])).rejects.toMatchObject({
      code: 'tool_execution',
      toolName: 'get_weather',
      toolCallId: '7',
    });
  });
});

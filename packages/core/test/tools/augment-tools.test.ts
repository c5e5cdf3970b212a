import { augmentTools, jsonSchema, Tool, type ToolCallback, ToolCallingManager, tool } from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answer, calling } from './tool-calls.js';

const seen: unknown[] = [];
const weather = tool({
  name: 'weather',
  description: 'The weather',
  returnDirect: true,
  input: z.strictObject({ city: z.string(), unit: z.enum(['c', 'f']).optional() }),
  execute: (input) => {
    seen.push(input);
    return 'rain';
  },
});
const thought = z.object({ reason: z.string(), sure: z.boolean().default(false) });

describe('augmentTools', () => {
  it('adds parameters and keeps the rest of the tool', () => {
    const [augmented] = augmentTools(weather, { input: thought, onArguments: () => {} });
    expect(augmented?.metadata).toEqual({ returnDirect: true });
    expect(augmented?.definition).toMatchObject({
      name: 'weather',
      description: 'The weather',
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, unit: {}, reason: { type: 'string' }, sure: { default: false } },
        required: ['city', 'reason'],
        additionalProperties: false,
      },
    });
    expect(weather.definition.inputSchema).not.toHaveProperty('properties.reason');
  });

  it('hands them out and takes them from the tool', async () => {
    const onArguments = vi.fn();
    const [augmented] = augmentTools([weather], { input: thought, onArguments });
    const rawInput = '{"city":"Delft","reason":"asked"}';
    expect(await augmented?.call(rawInput)).toBe('rain');
    expect(seen.splice(0)).toEqual([{ city: 'Delft' }]);
    expect(onArguments).toHaveBeenCalledExactlyOnceWith({
      definition: weather.definition,
      rawInput,
      arguments: { reason: 'asked', sure: false },
    });
  });

  it('leaves them in with keep', async () => {
    const inputs: unknown[] = [];
    const raw: ToolCallback = {
      definition: { name: 'raw', description: 'raw', inputSchema: { type: 'object' } },
      metadata: { returnDirect: false },
      call: async (input) => {
        inputs.push(input);
        return { text: 'ok', structured: { ok: true } };
      },
    };
    const [kept] = augmentTools(raw, { input: thought, onArguments: () => {}, keep: true });
    expect(await kept?.call('{"reason":"r","n":1.50}')).toEqual({ text: 'ok', structured: { ok: true } });
    expect(inputs).toEqual(['{"reason":"r","n":1.50}']);
  });

  it('tells the model what it left out, and does not run', async () => {
    const onArguments = vi.fn();
    const [augmented] = augmentTools(weather, { input: thought, onArguments });
    await expect(augmented?.call('{"city":"Delft"}')).rejects.toThrow(/tool 'weather'.*reason: /);
    await expect(augmented?.call('[1]')).rejects.toThrow(/must be a JSON object/);
    expect(onArguments).not.toHaveBeenCalled();
    expect(seen).toEqual([]);
  });

  it('takes objects with @Tool methods and providers that answer at once', async () => {
    class Clock {
      @Tool({})
      now(): string {
        return 'noon';
      }
    }
    const provider = { toolCallbacks: () => [weather] };
    const tools = augmentTools([new Clock(), provider], { input: thought, onArguments: () => {} });
    expect(tools.map(({ definition }) => definition.name)).toEqual(['now', 'weather']);
    expect(await tools[0]?.call('{"reason":"r"}')).toBe('noon');
    const later = { toolCallbacks: async () => [weather] };
    expect(() => augmentTools(later, { input: thought, onArguments: () => {} })).toThrow(/await its toolCallbacks/);
  });

  it('refuses names that are taken and a schema without parameters', () => {
    const options = { onArguments: () => {} };
    expect(() => augmentTools(weather, { ...options, input: z.object({ city: z.string() }) })).toThrow(
      /'weather' has 'city'/,
    );
    expect(() => augmentTools(weather, { ...options, input: jsonSchema({ type: 'object' }) })).toThrow(
      /at least one property/,
    );
  });

  it('lets approval see faults of both parts before a person is asked', async () => {
    const approve = vi.fn(() => ({ type: 'approve' }) as const);
    const manager = new ToolCallingManager({ approve });
    const tools = augmentTools(weather, { input: thought, onArguments: () => {} });
    const wrong = await answer(manager, tools, [
      calling('a', 'weather', '{"city":1,"reason":"r"}'),
      calling('b', 'weather', '{"city":"x"}'),
    ]);
    expect(wrong.map(({ isError }) => isError)).toEqual([true, true]);
    expect(approve).not.toHaveBeenCalled();
    const right = await answer(manager, tools, [calling('c', 'weather', '{"city":"x","reason":"r"}')]);
    expect(right).toEqual([{ id: 'c', name: 'weather', result: 'rain' }]);
    expect(approve).toHaveBeenCalledTimes(1);
    seen.splice(0);
  });
});

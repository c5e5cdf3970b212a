import {
  type ExpectedToolCall,
  type MadeToolCall,
  ToolCallEvaluator,
  type ToolCallEvaluatorOptions,
} from '@vernal/evaluation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coded } from './samples.js';

const made = (...calls: (readonly [string, unknown?])[]): MadeToolCall[] =>
  calls.map(([name, input]) => ({ name, arguments: input === undefined ? '' : JSON.stringify(input) }));
const evaluate = (
  expected: readonly ExpectedToolCall[],
  calls: readonly MadeToolCall[],
  options: ToolCallEvaluatorOptions = {},
) => new ToolCallEvaluator(options).evaluate({ response: '', toolCalls: calls, expectedToolCalls: expected });

describe('the tool call evaluator', () => {
  it('wants each expected call once and nothing else, in any order', async () => {
    const expected = [{ name: 'weather', arguments: { city: 'Delft', days: 2 } }, { name: 'clock' }];
    const calls = made(['clock', { zone: 'CET' }], ['weather', { days: 2, city: 'Delft' }]);
    expect(await evaluate(expected, calls)).toMatchObject({ pass: true, score: 1 });
    const result = await evaluate(expected, made(['weather', { city: 'Rome', days: 2 }], ['clock'], ['clock']));
    expect(result).toMatchObject({
      verdict: 'fail',
      metadata: { missing: ['weather'], unexpected: ['weather', 'clock'] },
    });
    expect(result.score).toBeCloseTo(1 / 3);
  });

  it('keeps an order when one is wanted', async () => {
    const expected = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    expect(await evaluate(expected, made(['a'], ['b'], ['c']), { order: 'given' })).toMatchObject({ pass: true });
    const turned = await evaluate(expected, made(['b'], ['a'], ['c']), { order: 'given' });
    expect(turned).toMatchObject({ verdict: 'fail', metadata: { missing: ['a'] } });
    expect(turned.score).toBeCloseTo(2 / 3);
  });

  it('allows others when it may', async () => {
    const calls = made(['search'], ['weather', { city: 'Delft' }], ['search']);
    const expected = [{ name: 'weather' }];
    expect(await evaluate(expected, calls, { others: 'allow' })).toMatchObject({ pass: true, score: 1 });
    expect((await evaluate(expected, calls)).score).toBeCloseTo(1 / 3);
  });

  it('compares arguments as it is told', async () => {
    const expected = [{ name: 'f', arguments: { a: { b: 1 } } }];
    const calls = made(['f', { a: { b: 1, c: 2 }, d: 3 }]);
    expect((await evaluate(expected, calls)).pass).toBe(false);
    expect((await evaluate(expected, calls, { arguments: 'subset' })).pass).toBe(true);
    expect((await evaluate(expected, made(['f', { a: 1 }]), { arguments: 'subset' })).pass).toBe(false);
    expect((await evaluate(expected, made(['f']), { arguments: 'ignore' })).pass).toBe(true);
    expect((await evaluate(expected, [{ name: 'f', arguments: '{broken' }])).pass).toBe(false);
    expect((await evaluate([{ name: 'f', arguments: {} }], made(['f']))).pass).toBe(true);
  });

  it('gives a call to the expected one that no other call fits', async () => {
    const expected = [{ name: 'f' }, { name: 'f', arguments: { x: 1 } }];
    expect((await evaluate(expected, made(['f', { x: 1 }], ['f', { x: 2 }]))).pass).toBe(true);
    expect((await evaluate(expected, made(['f', { x: 2 }], ['f', { x: 1 }]))).pass).toBe(true);
  });

  it('may want no call at all', async () => {
    expect(await evaluate([], [])).toMatchObject({ pass: true, score: 1 });
    expect(await evaluate([], made(['f']))).toMatchObject({ verdict: 'fail', score: 0 });
    expect(await evaluate([], made(['f']), { others: 'allow' })).toMatchObject({ pass: true });
  });

  it('says what it needs', async () => {
    const evaluator = new ToolCallEvaluator();
    await expect(evaluator.evaluate({ response: '' })).rejects.toEqual(coded('invalid_argument', 'toolCalls'));
    await expect(evaluator.evaluate({ response: '', toolCalls: [] })).rejects.toEqual(
      coded('invalid_argument', 'expectedToolCalls'),
    );
    expect(() => new ToolCallEvaluator({ order: 'x' as never })).toThrow(coded('invalid_argument', 'order'));
  });

  const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 2 })), { maxLength: 6 });
  const input = ([name, x]: readonly [string, number]): readonly [string, unknown] => [name, { x }];

  it('passes the calls themselves, shuffled when order does not count', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.infiniteStream(fc.nat()), async (list, numbers) => {
        const expected = list.map(([name, x]) => ({ name, arguments: { x } }));
        const shuffled = [...list].map((call) => ({ call, at: numbers.next().value })).sort((a, b) => a.at - b.at);
        expect((await evaluate(expected, made(...list.map(input)), { order: 'given' })).score).toBe(1);
        expect((await evaluate(expected, made(...shuffled.map(({ call }) => input(call))))).score).toBe(1);
      }),
    );
  });

  it('never scores more in an order than without', async () => {
    await fc.assert(
      fc.asyncProperty(calls, calls, async (wanted, given) => {
        const expected = wanted.map(([name, x]) => ({ name, arguments: { x } }));
        const ordered = await evaluate(expected, made(...given.map(input)), { order: 'given' });
        const free = await evaluate(expected, made(...given.map(input)));
        expect(ordered.score).toBeLessThanOrEqual(free.score);
        expect(free.pass).toBe(free.score === 1);
        // Without an order, equal calls are counted: the oracle is the size of the intersection of the two bags.
        const rest = given.map((call) => JSON.stringify(call));
        const common = wanted.filter((call) => {
          const at = rest.indexOf(JSON.stringify(call));
          if (at >= 0) rest.splice(at, 1);
          return at >= 0;
        }).length;
        const all = Math.max(wanted.length, given.length);
        expect(free.score).toBeCloseTo(all === 0 ? 1 : common / all);
      }),
    );
  });
});

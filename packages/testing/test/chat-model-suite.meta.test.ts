import type { Deviation, SuiteReport } from '@vernal/testing';
import { describeChatModel, ScriptedChatModel } from '@vernal/testing';
import { ollamaChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { CollectingRunner, outcomes } from './collecting-runner.js';
import type { Fault } from './reference-model.js';
import { ReferenceModel } from './reference-model.js';

/** Ids of the cases, among those that start with one of `only`, that fail for a model with these faults. */
async function failedCases(faults: readonly Fault[], ...only: readonly string[]): Promise<string[]> {
  const runner = new CollectingRunner();
  describeChatModel(
    'broken',
    ({ baseURL, capabilities }) => ({ subject: new ReferenceModel(baseURL, capabilities, faults) }),
    { runner, wire: ollamaChatWire, timeout: 1000 },
  );
  return runner.run(...only);
}

describe('a broken model fails the case that is about it', () => {
  it.each<[Fault, readonly string[], readonly string[]]>([
    ['decodes-pieces', ['chat.stream.every-byte'], ['chat.stream.every-byte', 'chat.text.empty']],
    ['sums-usage', ['chat.usage.counts', 'chat.usage.cache', 'chat.usage.running-total'], ['chat.usage']],
    [
      'invents-usage',
      [
        'chat.usage.counts',
        'chat.usage.cache',
        'chat.usage.reasoning',
        'chat.usage.unknown',
        'chat.usage.running-total',
      ],
      ['chat.usage'],
    ],
    ['clean-end-is-fine', ['chat.interrupted.clean-end', 'chat.interrupted.tool-call'], ['chat.interrupted']],
    ['leaks-body', ['chat.error.authentication'], ['chat.error.auth', 'chat.error.rate-limit']],
    ['drops-options', ['chat.request.options'], ['chat.request']],
    ['mixes-reasoning', ['chat.reasoning.apart', 'chat.reasoning.not-text'], ['chat.reasoning']],
    [
      'accepts-everything',
      [
        'chat.refused.options',
        'chat.refused.tools',
        'chat.refused.output-schema',
        'chat.refused.media',
        'chat.refused.nothing-sent',
      ],
      ['chat.refused'],
    ],
    ['leaks-listeners', ['chat.abort.listeners'], ['chat.abort.listeners', 'chat.abort.before:']],
    [
      'keeps-connection',
      ['chat.abort.before-headers', 'chat.abort.break'],
      ['chat.abort.before-headers', 'chat.abort.break', 'chat.abort.after'],
    ],
    [
      'ignores-signal',
      ['chat.abort.before', 'chat.abort.timeout', 'chat.abort.no-request'],
      ['chat.abort.before:', 'chat.abort.timeout', 'chat.abort.no-request', 'chat.abort.after'],
    ],
    ['eager', ['chat.stream.asks-when-read'], ['chat.stream.asks-when-read', 'chat.model.plain-data']],
  ])('%s', async (fault, expected, only) => {
    const failed = await failedCases([fault], ...only);
    expect(failed.toSorted()).toEqual([...expected].toSorted());
  });
});

describe('the suite', () => {
  const run = async (
    deviations: readonly Deviation<`chat.${string}`>[],
    ...only: readonly string[]
  ): Promise<{
    readonly runner: CollectingRunner;
    readonly failed: string[];
    readonly report: SuiteReport | undefined;
  }> => {
    const runner = new CollectingRunner();
    let report: SuiteReport | undefined;
    describeChatModel(
      'sums',
      ({ baseURL, capabilities }) => ({ subject: new ReferenceModel(baseURL, capabilities, ['sums-usage']) }),
      {
        runner,
        wire: ollamaChatWire,
        seed: 7,
        deviations,
        onReport: (value) => {
          report = value;
        },
      },
    );
    return { runner, failed: await runner.run(...only), report };
  };

  it('prints the seed, and reports each case', async () => {
    const { runner, failed, report } = await run([], 'chat.usage', 'chat.declared.images');
    expect(failed).toContain('chat.usage.counts');
    expect(runner.failures[0]).toMatch(/chat\.usage\.counts \(seed 7\): usage by call: expected .*1546.* got .*3092/);
    expect(report).toMatchObject({ suite: 'chat-model', subject: 'sums', seed: 7 });
    expect(outcomes(report)).toMatchObject({
      'chat.usage.counts': 'fail',
      'chat.usage.numbers': 'pass',
      'chat.declared.images': 'not-declared',
    });
  });

  it('runs deviations, which must fail', async () => {
    const reason = 'counts twice';
    const listed = ['counts', 'cache', 'running-total', 'unknown'].map(
      (name): Deviation<`chat.${string}`> => ({ case: `chat.usage.${name}`, reason }),
    );
    const { runner, failed, report } = await run(listed, 'chat.usage');
    expect(failed).toEqual(['chat.usage.unknown']);
    expect(runner.failures[0]).toMatch(
      /passes, although it is listed as a deviation \(counts twice\): take the entry out/,
    );
    expect(outcomes(report)).toMatchObject({ 'chat.usage.counts': 'deviation', 'chat.usage.unknown': 'fail' });
  });

  it('refuses a deviation of a case that does not exist', async () => {
    await expect(run([{ case: 'chat.nonsense', reason: 'x' }])).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('says of a model in this process that its wire was not tried, and closes what it was given', async () => {
    const runner = new CollectingRunner();
    let report: SuiteReport | undefined;
    let open = 0;
    describeChatModel(
      'local',
      () => {
        open++;
        return {
          subject: new ScriptedChatModel(Array.from({ length: 20 }, () => 'same')),
          close: async () => {
            open--;
          },
        };
      },
      {
        runner,
        onReport: (value) => {
          report = value;
        },
      },
    );
    expect(await runner.run()).toEqual([]);
    expect(open).toBe(0);
    expect(runner.names[1]).toMatch(/^\d+ cases: .*chat\.text\.exact.*a model in this process has no wire/);
    const all = outcomes(report);
    expect(all['chat.text.exact']).toBe('not-declared');
    expect(all['chat.stream.folds-to-call']).toBe('pass');
  });

  it('runs the live cases against the live model', async () => {
    const runner = new CollectingRunner();
    const create = () => ({
      subject: new ScriptedChatModel([
        (prompt) =>
          prompt.options.maxTokens !== undefined
            ? { text: '1 2 3', finishReason: 'length' }
            : prompt.options.tools === undefined
              ? { text: 'Paris', chunks: 'char', usage: { promptTokens: 12, completionTokens: 1, totalTokens: 13 } }
              : { toolCalls: [{ name: 'weather', arguments: {} }] },
      ]),
    });
    describeChatModel('live', create, { runner, live: create });
    expect(await runner.run('chat.live')).toEqual([]);
    const wrong = new CollectingRunner();
    const silent = () => ({ subject: new ScriptedChatModel([{ text: '' }]) });
    describeChatModel('live', silent, { runner: wrong, live: silent });
    expect(await wrong.run('chat.live')).toEqual(['chat.live.call', 'chat.live.length', 'chat.live.tools']);
  });
});

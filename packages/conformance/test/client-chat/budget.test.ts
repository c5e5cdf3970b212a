import { ChatClient, foldClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  BudgetAdvisor,
  type BudgetAdvisorOptions,
  EvaluateAndRepeatAdvisor,
  InMemoryResponseCache,
  ResponseCacheAdvisor,
  RetryAdvisor,
} from '@vernal/client-chat/advisors';
import { type Logger, MessageWindowChatMemory, ModelError, messageText, tool, type Usage } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const call = (totalTokens?: number): ScriptStep => ({
  toolCalls: [{ name: 'time', arguments: {} }],
  ...(totalTokens !== undefined && { usage: { totalTokens } }),
});

function spending(steps: readonly ScriptStep[], options: BudgetAdvisorOptions) {
  const warnings: unknown[] = [];
  let runs = 0;
  const logger: Logger = { debug() {}, info() {}, warn: (message) => warnings.push(message) };
  const model = new ScriptedChatModel(steps, { defaultOptions: { model: 'base' } });
  const chatMemory = new MessageWindowChatMemory();
  const client = ChatClient.builder(model, { logger })
    .defaultTools(tool({ name: 'time', execute: () => `noon ${++runs}` }))
    .defaultAdvisors(new BudgetAdvisor(options), new MessageChatMemoryAdvisor({ chatMemory }))
    .build();
  return { client, model, warnings, chatMemory, runs: () => runs };
}

describe.each(['call', 'stream'] as const)('BudgetAdvisor in a %s', (mode) => {
  const ask = (client: ChatClient) => {
    const spec = client.prompt('q').conversation('c');
    return mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
  };

  it('ends the turn once its model calls have used the budget up; every call of a tool has its answer', async () => {
    const { client, model, runs, chatMemory } = spending([call(6), call(5), 'never'], { maxTokens: 10 });
    const response = await ask(client);
    expect(model.prompts).toHaveLength(2);
    expect(runs()).toBe(2);
    expect(response.chatResponse?.result).toMatchObject({
      output: { text: 'Stopped: the budget of 10 tokens for this turn is used up.', toolCalls: [] },
      metadata: { finishReason: 'length' },
    });
    expect(response.chatResponse?.metadata['budget']).toEqual({ tokens: 11, cost: 0 });
    expect(response.chatResponse?.metadata.usage.totalTokens).toBe(11);
    const types = ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'];
    expect(response.turn.map(({ type }) => type)).toEqual(types);
    expect((await chatMemory.get('c')).map(({ type }) => type)).toEqual(types);
  });

  it('throws instead when told to, and the history stays valid', async () => {
    const { client, chatMemory } = spending([call(10), 'never'], { maxTokens: 10, onExceeded: 'throw' });
    await expect(ask(client)).rejects.toMatchObject({ code: 'invalid_state', details: { tokens: 10 } });
    const stored = await chatMemory.get('c');
    expect(stored.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(stored.at(-1)?.metadata).toEqual({ cancelled: true });
  });

  it('gives the answer that goes over the budget: it is paid for', async () => {
    const { client } = spending([{ text: 'dear', usage: { totalTokens: 99 } }], { maxTokens: 10 });
    expect((await ask(client)).chatResponse?.result?.output.text).toBe('dear');
  });

  it('counts each turn for itself', async () => {
    const dear: ScriptStep = { text: 'dear', usage: { totalTokens: 99 } };
    const { client, model } = spending([dear, dear], { maxTokens: 10 });
    await ask(client);
    await ask(client);
    expect(model.prompts).toHaveLength(2);
  });

  it('counts cost, by the model that answered or that was asked', async () => {
    const seen: (string | undefined)[] = [];
    const cost = ({ totalTokens = 0 }: Usage, model: string | undefined): number => {
      seen.push(model);
      return totalTokens / 100;
    };
    const { client, model } = spending([call(30), call(30), 'never'], { maxCost: 0.5, cost });
    const response = await ask(client);
    expect(response.chatResponse?.metadata['budget']).toEqual({ tokens: 60, cost: 0.6 });
    expect(model.prompts).toHaveLength(2);
    expect(seen).toEqual(['base', 'base']);
    const other = spending([{ text: 'x', usage: { totalTokens: 1 } }], { maxCost: 1, cost });
    await ask(other.client.mutate().defaultOptions({ model: 'asked' }).build());
    expect(seen.at(-1)).toBe('asked');
  });

  it('refuses a cost that is no number: an unknown model would be free', async () => {
    const { client } = spending([{ text: 'x', usage: { totalTokens: 1 } }], { maxCost: 1, cost: () => Number.NaN });
    await expect(ask(client)).rejects.toMatchObject({ code: 'invalid_argument', subject: 'cost' });
  });

  it('warns once a turn of a provider that reports no usage', async () => {
    const { client, warnings } = spending([call(), call(), 'x'], { maxTokens: 1 });
    await ask(client);
    expect(warnings).toEqual(['The provider reports no usage; the budget cannot count it']);
  });

  it('counts repeats of a judged answer and tries of a failed one, and stops both', async () => {
    const error = new ModelError('busy', { provider: 'p', retryable: true });
    const { client, model } = spending(
      [{ error }, { text: 'bad', usage: { totalTokens: 6 } }, { text: 'worse', usage: { totalTokens: 6 } }],
      { maxTokens: 10 },
    );
    let judged = 0;
    const evaluate = async () => {
      judged++;
      return { pass: false };
    };
    const repeating = client
      .mutate()
      .defaultAdvisors(
        new EvaluateAndRepeatAdvisor({ evaluate, maxRepeats: 9 }),
        new RetryAdvisor({ policy: { initialDelayMs: 0 } }),
      )
      .build();
    const response = await ask(repeating);
    expect(response.chatResponse?.result?.metadata.finishReason).toBe('length');
    expect([model.prompts.length, judged]).toEqual([3, 2]);
  });

  it('does not count cached answers', async () => {
    const steps: ScriptStep[] = [{ text: 'x', usage: { totalTokens: 9 } }];
    const { client, warnings } = spending(steps, { maxTokens: 10, scope: 'turn', order: 0 });
    const cached = client
      .mutate()
      .defaultAdvisors(new ResponseCacheAdvisor({ cache: new InMemoryResponseCache() }))
      .build();
    for (const conversation of ['a', 'b', 'c']) {
      const spec = cached.prompt('q').conversation(conversation);
      const response =
        mode === 'call'
          ? await spec.call().chatResponse()
          : (await foldClient(spec.stream().chatClientResponse())).chatResponse;
      expect(response?.result?.output.text).toBe('x');
    }
    // That they report no usage is no fault of the provider.
    expect(warnings).toEqual([]);
  });

  it('remembers in its words that it stopped', async () => {
    const { client, chatMemory } = spending([call(10), 'never'], { maxTokens: 10 });
    await ask(client);
    expect(messageText((await chatMemory.get('c')).at(-1) ?? { type: 'system', text: '', metadata: {} })).toContain(
      'Stopped',
    );
  });
});

it('needs a limit, and for a cost its price', () => {
  const wrong: BudgetAdvisorOptions[] = [{}, { maxTokens: 0 }, { maxCost: 1 }, { maxCost: -1, cost: () => 1 }];
  for (const options of wrong) {
    expect(() => new BudgetAdvisor(options)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  }
});

import {
  assistantMessage,
  chatResponse,
  Prompt,
  staticToolResolver,
  systemMessage,
  type ToolCall,
  type ToolCallback,
  ToolCallingManager,
  type ToolContext,
  tool,
  userMessage,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answer, asking, calling, responsesOf, runRound } from './tool-calls.js';

const echo = tool({ name: 'echo', input: z.object({ text: z.string() }), execute: ({ text }) => text });
const now = tool({ name: 'now', returnDirect: true, execute: () => 'noon' });

function byHand(name: string, call: ToolCallback['call'], returnDirect = false): ToolCallback {
  return {
    definition: { name, description: name, inputSchema: { type: 'object' } },
    metadata: { returnDirect },
    call,
  };
}

/** Tools that wait until they are let go, and say which of them run. */
function gates(names: readonly string[]) {
  const running: string[] = [];
  const open = new Map<string, () => void>();
  let most = 0;
  const tools = names.map((name) =>
    byHand(name, async () => {
      running.push(name);
      most = Math.max(most, running.length);
      await new Promise<void>((resolve) => open.set(name, resolve));
      running.splice(running.indexOf(name), 1);
      return name;
    }),
  );
  const settled = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  return { tools, running, settled, most: () => most, release: (name: string) => open.get(name)?.() };
}

describe('executeToolCalls', () => {
  it('writes the round into the history', async () => {
    const manager = new ToolCallingManager();
    const messages = [systemMessage('s'), userMessage('q')];
    const prompt = new Prompt(messages, { tools: [echo, now] });
    const response = asking(calling('1', 'echo', '{"text":"hi"}'), calling('2', 'now'));
    const result = await manager.executeToolCalls(prompt, response);
    expect(result).toEqual({
      conversationHistory: [
        ...messages,
        response.result?.output,
        {
          type: 'tool',
          responses: [
            { id: '1', name: 'echo', result: 'hi' },
            { id: '2', name: 'now', result: 'noon' },
          ],
          metadata: {},
        },
      ],
      returnDirect: false,
    });
    expect(prompt.messages).toEqual(messages);
  });

  it('takes the first generation with calls and refuses a response without any', async () => {
    const manager = new ToolCallingManager();
    const two = chatResponse([
      { text: 'no' },
      { output: assistantMessage({ toolCalls: [calling('1', 'now')] }) },
      { output: assistantMessage({ toolCalls: [calling('2', 'echo')] }) },
    ]);
    const result = await manager.executeToolCalls(new Prompt('q', { tools: [now] }), two);
    expect(responsesOf(result)).toEqual([{ id: '1', name: 'now', result: 'noon' }]);
    await expect(manager.executeToolCalls(new Prompt('q'), chatResponse('text'))).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  it('hands the tool what it needs and nothing of it to the model', async () => {
    let context: ToolContext | undefined;
    const spy = byHand('spy', async (_, given) => {
      context = given;
      return 'ok';
    });
    const signal = new AbortController().signal;
    const result = await runRound(
      new ToolCallingManager(),
      [spy],
      [calling('c9', 'spy')],
      { signal },
      { toolContext: { tenant: 'acme' } },
    );
    expect(context?.values).toEqual({ tenant: 'acme' });
    expect(context?.toolCallId).toBe('c9');
    expect(context?.messages.map(({ type }) => type)).toEqual(['user', 'assistant']);
    expect(context?.signal.aborted).toBe(false);
    expect(context?.progress).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('acme');
  });

  it('shows no tool what another wrote into its context: the values cannot be changed', async () => {
    const values = { tenant: 'acme' };
    const writing = byHand('writing', async (_, context) => {
      Object.assign(context?.values ?? {}, { tenant: 'other' });
      return 'written';
    });
    const calls = [calling('1', 'writing')];
    const result = await runRound(new ToolCallingManager(), [writing], calls, undefined, { toolContext: values });
    expect(responsesOf(result)).toMatchObject([{ isError: true, result: "Tool 'writing' failed (TypeError)" }]);
    expect(values).toEqual({ tenant: 'acme' });
    expect(Object.isFrozen(values)).toBe(false);
  });

  it('gives media, structured content and a failure of the tool on', async () => {
    const media = [{ mimeType: 'image/png', source: { type: 'url', url: 'https://example.com/a.png' } }] as const;
    const rich = byHand('rich', async () => ({ text: 't', media, structured: { a: 1 }, isError: true }));
    expect(await answer(new ToolCallingManager(), [rich], [calling('1', 'rich')])).toEqual([
      { id: '1', name: 'rich', result: 't', media, structured: { a: 1 }, isError: true },
    ]);
  });

  it('keeps the round when an untyped tool gives structured content that JSON cannot hold', async () => {
    const given = { text: 't', structured: { n: Number.NaN, big: 1n, at: new Date(0) } };
    const untyped = byHand('untyped', (async () => given) as unknown as ToolCallback['call']);
    expect(
      await answer(new ToolCallingManager(), [untyped, now], [calling('1', 'untyped'), calling('2', 'now')]),
    ).toEqual([
      { id: '1', name: 'untyped', result: 't', structured: { n: null, big: '1', at: '1970-01-01T00:00:00.000Z' } },
      { id: '2', name: 'now', result: 'noon' },
    ]);
  });

  it.each<[unknown, string]>([
    [undefined, 'Done'],
    [{ a: 1n }, '{"a":"1"}'],
    [null, 'null'],
  ])('makes text of whatever an untyped tool gives: %o', async (given, text) => {
    const untyped = byHand('untyped', (async () => given) as unknown as ToolCallback['call']);
    expect(await answer(new ToolCallingManager(), [untyped], [calling('1', 'untyped')])).toEqual([
      { id: '1', name: 'untyped', result: text },
    ]);
  });

  it.each(['', '   ', '\n'])('sends %j as {} to the tool and back to the model', async (blank) => {
    const inputs: string[] = [];
    const spy = byHand('spy', async (input) => {
      inputs.push(input);
      return 'ok';
    });
    const result = await runRound(new ToolCallingManager(), [spy], [calling('1', 'spy', blank)]);
    expect(inputs).toEqual(['{}']);
    expect(result.conversationHistory[1]).toMatchObject({ toolCalls: [{ id: '1', name: 'spy', arguments: '{}' }] });
  });

  it('leaves good arguments as the model wrote them', async () => {
    const text = ' {"text" : "2512292042121000001\\u00e9", "n": 1.50}';
    const result = await runRound(new ToolCallingManager(), [echo], [calling('1', 'echo', text)]);
    expect(result.conversationHistory[1]).toMatchObject({ toolCalls: [{ arguments: text }] });
  });

  it('answers in call order, whoever is first', async () => {
    const { tools, settled, release } = gates(['a', 'b', 'c']);
    const work = answer(new ToolCallingManager(), tools, [calling('1', 'a'), calling('2', 'b'), calling('3', 'c')]);
    await settled();
    for (const name of ['c', 'a', 'b']) release(name);
    expect((await work).map(({ id, result }) => `${id}${result}`)).toEqual(['1a', '2b', '3c']);
  });

  it('runs up to maxConcurrency calls at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { tools, running, settled, most, release } = gates(names);
    const work = answer(
      new ToolCallingManager({ maxConcurrency: 2 }),
      tools,
      names.map((name) => calling(name, name)),
    );
    await settled();
    expect(running).toEqual(['a', 'b']);
    for (const name of ['b', 'a', 'c', 'e', 'd', 'e']) {
      release(name);
      await settled();
    }
    expect((await work).map(({ result }) => result)).toEqual(names);
    expect(most()).toBe(2);
  });

  it('runs eight at once unless told otherwise', async () => {
    const names = [...'abcdefghij'];
    const { tools, running, settled, most, release } = gates(names);
    const work = answer(
      new ToolCallingManager(),
      tools,
      names.map((name) => calling(name, name)),
    );
    await settled();
    expect(running).toEqual(names.slice(0, 8));
    for (const name of names) {
      release(name);
      await settled();
    }
    expect((await work).map(({ result }) => result)).toEqual(names);
    expect(most()).toBe(8);
  });

  it('runs one after another without parallel', async () => {
    const { tools, running, settled, most, release } = gates(['a', 'b']);
    const work = answer(new ToolCallingManager({ parallel: false, maxConcurrency: 8 }), tools, [
      calling('1', 'a'),
      calling('2', 'b'),
    ]);
    await settled();
    expect(running).toEqual(['a']);
    release('a');
    await settled();
    expect(running).toEqual(['b']);
    release('b');
    await work;
    expect(most()).toBe(1);
  });

  it('returns directly only when every tool of the round does and none failed', async () => {
    const manager = new ToolCallingManager();
    const bad = byHand('bad', () => Promise.reject(new Error('x')), true);
    const direct = async (...calls: readonly ToolCall[]) =>
      (await runRound(manager, [echo, now, bad], calls)).returnDirect;
    expect(await direct(calling('1', 'now'))).toBe(true);
    expect(await direct(calling('1', 'now'), calling('2', 'now'))).toBe(true);
    expect(await direct(calling('1', 'now'), calling('2', 'echo', '{"text":"a"}'))).toBe(false);
    expect(await direct(calling('1', 'bad'))).toBe(false);
    expect(await direct(calling('1', 'none'))).toBe(false);
  });

  it('answers every call exactly once, in order, whatever happens to each', async () => {
    const tools = [
      byHand('fine', async () => 'ok'),
      byHand('rejects', () => Promise.reject('no')),
      byHand('throws', () => {
        throw new Error('no');
      }),
      byHand('slow', async () => {
        for (let i = 0; i < 10; i++) await Promise.resolve();
        return '';
      }),
      echo,
    ];
    const names = fc.constantFrom('fine', 'rejects', 'throws', 'slow', 'echo', 'unknown', '');
    const args = fc.constantFrom('', '{}', '{"text":"a"}', '{', 'null', '[]', '{"text":1}');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(names, args), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (wanted, maxConcurrency, approving) => {
          const manager = new ToolCallingManager({
            maxConcurrency,
            ...(approving ? { approve: () => ({ type: 'approve' }) } : {}),
          });
          const calls = wanted.map(([name, text], index) => calling(`c${index}`, name, text));
          const result = await runRound(manager, tools, calls);
          const responses = responsesOf(result);
          expect(responses.map(({ id, name }) => `${id} ${name}`)).toEqual(
            calls.map(({ id, name }) => `${id} ${name}`),
          );
          expect(responses.every((response) => typeof response.result === 'string')).toBe(true);
          const sent = result.conversationHistory.at(-2);
          for (const { arguments: text } of sent?.type === 'assistant' ? sent.toolCalls : [])
            expect(
              typeof JSON.parse(text) === 'object' && !Array.isArray(JSON.parse(text)) && JSON.parse(text) !== null,
            ).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('tools of a request', () => {
  const other = tool({ name: 'other', execute: () => 'other' });

  it('are defined in the order they were given', () => {
    const manager = new ToolCallingManager({ resolver: staticToolResolver([other, echo]) });
    const names = (options: object) => manager.resolveToolDefinitions(options).map(({ name }) => name);
    expect(names({ tools: [now, echo], toolNames: ['other', 'echo', 'other'] })).toEqual(['now', 'echo', 'other']);
    expect(names({})).toEqual([]);
    expect(names({ tools: null, toolNames: null })).toEqual([]);
  });

  it('have one name each', async () => {
    const manager = new ToolCallingManager();
    const twin = tool({ name: 'echo', execute: () => 1 });
    expect(() => manager.resolveToolDefinitions({ tools: [echo, twin] })).toThrow(/two tools named 'echo'/);
    await expect(runRound(manager, [echo, twin], [calling('1', 'echo')])).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    const upper = tool({ name: 'Echo', execute: () => 1 });
    expect(manager.resolveToolDefinitions({ tools: [echo, upper] })).toHaveLength(2);
  });

  it('that are named need a resolver that knows them', async () => {
    expect(() => new ToolCallingManager().resolveToolDefinitions({ toolNames: ['x'] })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'toolNames' }),
    );
    const manager = new ToolCallingManager({ resolver: staticToolResolver([]) });
    await expect(manager.resolveTools({ toolNames: ['x'] })).rejects.toMatchObject({
      code: 'tool_not_found',
      subject: 'x',
    });
  });

  it('may be found later, but then not for resolveToolDefinitions', async () => {
    const manager = new ToolCallingManager({ resolver: { resolve: async () => other } });
    expect(await manager.resolveTools({ tools: [now], toolNames: ['other'] })).toEqual([now, other]);
    expect(() => manager.resolveToolDefinitions({ toolNames: ['other'] })).toThrow(/resolveTools/);
  });

  it('are all that a model can reach', async () => {
    const manager = new ToolCallingManager({ resolver: staticToolResolver([other]) });
    const [refused] = await answer(manager, [echo], [calling('1', 'other')]);
    expect(refused).toMatchObject({ isError: true, result: expect.stringContaining("'other' does not exist") });
    const offered = await runRound(manager, [echo], [calling('1', 'other')], undefined, { toolNames: ['other'] });
    expect(responsesOf(offered)).toEqual([{ id: '1', name: 'other', result: 'other' }]);
  });

  it('with a name that not all providers take are warned of, once', () => {
    const warn = vi.fn();
    const manager = new ToolCallingManager({ logger: { debug: () => {}, info: () => {}, warn } });
    const odd = tool({ name: 'odd name', execute: () => 1 });
    manager.resolveToolDefinitions({ tools: [odd, echo] });
    manager.resolveToolDefinitions({ tools: [odd] });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('[a-zA-Z0-9_-]{1,64}'), { tool: 'odd name' });
  });
});

describe('options', () => {
  it.each<[object, string]>([
    [{ maxConcurrency: 0 }, 'maxConcurrency'],
    [{ maxConcurrency: Number.NaN }, 'maxConcurrency'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
    [{ approvalKey: new Uint8Array(31) }, 'approvalKey'],
    [{ approvalTtlMs: -1 }, 'approvalTtlMs'],
    [{ limits: { perTool: 0 } }, 'limits.perTool'],
    [{ limits: { total: 1.5 } }, 'limits.total'],
    [{ limits: { perToolOverrides: { a: -1 } } }, 'limits.perToolOverrides.a'],
  ])('%o is refused', (options, subject) => {
    expect(() => new ToolCallingManager(options)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('stay with their manager: nothing shows on it', () => {
    expect(Object.keys(new ToolCallingManager({ approvalKey: new Uint8Array(32) }))).toEqual([]);
    const copy = { ...new ToolCallingManager() } as ToolCallingManager;
    expect(() => ToolCallingManager.prototype.resolveToolDefinitions.call(copy, {})).toThrow(
      expect.objectContaining({ code: 'invalid_state' }),
    );
  });
});

import { createHmac } from 'node:crypto';
import { getEventListeners } from 'node:events';
import {
  type ApprovalDecision,
  type ApproveTool,
  canonicalJson,
  type PendingApproval,
  Prompt,
  type ToolCall,
  type ToolCallback,
  ToolCallingManager,
  type ToolCallingManagerOptions,
  tool,
  userMessage,
} from '@vernal/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answer, asking, calling, responsesOf, runRound } from './tool-calls.js';

const key = Uint8Array.from({ length: 32 }, (_, index) => index);
const paid: unknown[] = [];
const pay = tool({
  name: 'pay',
  input: z.object({ amount: z.number() }),
  returnDirect: true,
  execute: (input) => {
    paid.push(input);
    return `paid ${input.amount}`;
  },
});
const look = tool({ name: 'look', execute: () => 'seen', returnDirect: true });
const tools = [pay, look];
const deferPay: ApproveTool = (call) => ({ type: call.name === 'pay' ? 'defer' : 'approve' });

function manager(options: ToolCallingManagerOptions = {}): ToolCallingManager {
  return new ToolCallingManager({ approvalKey: key, approve: deferPay, ...options });
}

async function pendingOf(...calls: readonly ToolCall[]): Promise<PendingApproval> {
  const subject = manager();
  return subject.suspend(await runRound(subject, tools, calls), { context: { conversation: 'ann-1' } });
}

afterEach(() => {
  vi.useRealTimers();
  paid.length = 0;
});

describe('approve', () => {
  it('is asked in call order with what the tool would get, before anything runs', async () => {
    const asked: unknown[] = [];
    const subject = new ToolCallingManager({
      approve: async (call, { definition, input, values, messages, toolCallId }) => {
        asked.push([call.id, definition.name, input, values, messages.length, toolCallId, paid.length]);
        return { type: 'approve' };
      },
    });
    const calls = [calling('1', 'pay', '{"amount":5}'), calling('2', 'look', ''), calling('3', 'pay', '{"amount":7}')];
    const result = await runRound(subject, tools, calls, undefined, { toolContext: { tenant: 'acme' } });
    expect(asked).toEqual([
      ['1', 'pay', { amount: 5 }, { tenant: 'acme' }, 2, '1', 0],
      ['2', 'look', {}, { tenant: 'acme' }, 2, '2', 0],
      ['3', 'pay', { amount: 7 }, { tenant: 'acme' }, 2, '3', 0],
    ]);
    expect(responsesOf(result).map(({ result }) => result)).toEqual(['paid 5', 'seen', 'paid 7']);
  });

  it('is not asked about calls that cannot run', async () => {
    const approve = vi.fn((): ApprovalDecision => ({ type: 'approve' }));
    const calls = [calling('1', 'pay', '{"amount":"5"}'), calling('2', 'pay', '{'), calling('3', 'none')];
    const responses = await answer(new ToolCallingManager({ approve }), tools, calls);
    expect(responses.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(approve).not.toHaveBeenCalled();
  });

  it('is asked about tools written by hand with their JSON', async () => {
    const raw: ToolCallback = {
      definition: { name: 'raw', description: 'raw', inputSchema: {} },
      metadata: { returnDirect: false },
      call: async (input) => input,
    };
    const approve = vi.fn((): ApprovalDecision => ({ type: 'approve' }));
    expect(await answer(new ToolCallingManager({ approve }), [raw], [calling('1', 'raw', '{"a":[1]}')])).toMatchObject([
      { result: '{"a":[1]}' },
    ]);
    expect(approve).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ input: { a: [1] } }));
  });

  it('may change the arguments: they are checked again, and the history shows what ran', async () => {
    const change = (text: string) => new ToolCallingManager({ approve: () => ({ type: 'approve', arguments: text }) });
    const result = await runRound(change('{"amount":1}'), tools, [calling('1', 'pay', '{"amount":100}')]);
    expect(paid).toEqual([{ amount: 1 }]);
    expect(result.conversationHistory[1]).toMatchObject({ toolCalls: [{ id: '1', arguments: '{"amount":1}' }] });
    const [wrong] = await answer(change('{"amount":"1"}'), tools, [calling('1', 'pay', '{"amount":100}')]);
    expect(wrong).toMatchObject({ isError: true, result: expect.stringContaining('amount: ') });
    expect(paid).toHaveLength(1);
  });

  it('may deny, and the model is told why', async () => {
    const subject = new ToolCallingManager({
      approve: (call) => ({ type: 'deny', ...(call.id === '1' ? { reason: 'too much' } : {}) }),
    });
    const result = await runRound(subject, tools, [calling('1', 'pay', '{"amount":5}'), calling('2', 'look')]);
    expect(responsesOf(result)).toEqual([
      { id: '1', name: 'pay', result: "The call of tool 'pay' was denied: too much", isError: true },
      { id: '2', name: 'look', result: "The call of tool 'look' was denied.", isError: true },
    ]);
    expect(result.returnDirect).toBe(false);
  });

  it('gives its own failure, and a decision that is none, to the caller', async () => {
    const broken = new Error('no terminal');
    const rejecting = new ToolCallingManager({ approve: () => Promise.reject(broken) });
    await expect(answer(rejecting, tools, [calling('1', 'look')])).rejects.toBe(broken);
    const untyped = new ToolCallingManager({ approve: (() => ({ type: 'maybe' })) as unknown as ApproveTool });
    await expect(answer(untyped, tools, [calling('1', 'look')])).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('is not waited for after an abort', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const subject = new ToolCallingManager({
      approve: (_, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
    });
    const work = answer(subject, tools, [calling('1', 'look'), calling('2', 'look')], { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toBeDefined(), { timeout: 60_000 });
    controller.abort();
    expect((await work).map(({ result }) => result)).toEqual(['cancelled', 'cancelled']);
    expect(seen?.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

describe('a deferred call', () => {
  it('waits while the other calls are answered', async () => {
    const calls = [calling('1', 'pay', '{"amount":5}'), calling('2', 'look'), calling('3', 'pay', '{"amount":7}')];
    const result = await runRound(manager(), tools, calls);
    expect(result.pendingCalls).toEqual([calls[0], calls[2]]);
    expect(responsesOf(result)).toEqual([{ id: '2', name: 'look', result: 'seen' }]);
    expect(result.returnDirect).toBe(false);
    const alone = await runRound(manager(), tools, [calls[0] ?? calling('', '')]);
    expect(alone.conversationHistory.map(({ type }) => type)).toEqual(['user', 'assistant']);
  });

  it('needs a key, and says so before anything has run', async () => {
    const execute = vi.fn();
    const keyless = new ToolCallingManager({ approve: deferPay });
    const calls = [calling('1', 'look'), calling('2', 'pay', '{"amount":5}')];
    await expect(answer(keyless, [pay, tool({ name: 'look', execute })], calls)).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'approvalKey',
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it('becomes plain data, signed', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    const pending = await pendingOf(calling('1', 'pay', '{"amount":5}'), calling('2', 'look'));
    expect(JSON.parse(JSON.stringify(pending))).toEqual(pending);
    expect(pending).toMatchObject({
      version: 1,
      calls: [{ id: '1', name: 'pay', arguments: '{"amount":5}' }],
      context: { conversation: 'ann-1' },
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-02T00:00:00.000Z',
    });
    expect(pending.messages).toHaveLength(3);
    const { signature, ...rest } = pending;
    expect(signature).toBe(createHmac('sha256', key).update(plainText(rest)).digest('base64url'));
    expect((await pendingOf(calling('1', 'pay', '{"amount":5}'))).id).not.toBe(pending.id);
  });

  it('of another round cannot be suspended', async () => {
    const result = await runRound(manager(), tools, [calling('1', 'look')]);
    await expect(manager().suspend(result)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('resume', () => {
  const calls = [calling('1', 'pay', '{"amount":5}'), calling('2', 'look'), calling('3', 'pay', '{"amount":7}')];
  const over = async () => JSON.parse(JSON.stringify(await pendingOf(...calls))) as PendingApproval;

  it('runs what was approved and answers what was denied, in another process', async () => {
    const elsewhere = new ToolCallingManager({ approvalKey: key });
    const result = await elsewhere.resume(
      await over(),
      { '1': { type: 'approve', arguments: '{"amount":4}' }, '3': { type: 'deny', reason: 'no' } },
      { tools },
    );
    expect(paid).toEqual([{ amount: 4 }]);
    expect(result.pendingCalls).toBeUndefined();
    expect(result.conversationHistory.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool']);
    expect(result.conversationHistory[1]).toMatchObject({
      toolCalls: [{ arguments: '{"amount":4}' }, {}, { arguments: '{"amount":7}' }],
    });
    expect(responsesOf(result)).toEqual([
      { id: '1', name: 'pay', result: 'paid 4' },
      { id: '2', name: 'look', result: 'seen' },
      { id: '3', name: 'pay', result: "The call of tool 'pay' was denied: no", isError: true },
    ]);
  });

  it('keeps waiting for calls without a decision, as often as needed', async () => {
    const subject = manager();
    const first = await subject.resume(await over(), { '3': { type: 'approve' } }, { tools });
    expect(first.pendingCalls?.map(({ id }) => id)).toEqual(['1']);
    expect(responsesOf(first).map(({ id }) => id)).toEqual(['2', '3']);
    const second = await subject.resume(await subject.suspend(first), { '1': { type: 'approve' } }, { tools });
    expect(responsesOf(second).map(({ id, result }) => `${id} ${result}`)).toEqual(['1 paid 5', '2 seen', '3 paid 7']);
    expect(second.returnDirect).toBe(true);
    expect(paid).toEqual([{ amount: 7 }, { amount: 5 }]);
  });

  it('answers for a tool that is gone, and for an abort', async () => {
    const gone = await manager().resume(
      await over(),
      { '1': { type: 'approve' }, '3': { type: 'approve' } },
      { tools: [look] },
    );
    expect(responsesOf(gone).map(({ isError }) => isError ?? false)).toEqual([true, false, true]);
    const aborted = await manager().resume(
      await over(),
      { '1': { type: 'approve' }, '3': { type: 'approve' } },
      { tools },
      { signal: AbortSignal.abort() },
    );
    expect(responsesOf(aborted).map(({ result }) => result)).toEqual(['cancelled', 'seen', 'cancelled']);
    expect(paid).toEqual([]);
  });

  it('passes the context of the new request on', async () => {
    const who = tool({ name: 'pay', execute: (_, { values, messages }) => `${values['user']} ${messages.length}` });
    const result = await manager().resume(
      await pendingOf(calling('1', 'pay', '{"amount":5}')),
      { '1': { type: 'approve' } },
      { tools: [who], toolContext: { user: 'ann' } },
    );
    expect(responsesOf(result)[0]?.result).toBe('ann 2');
  });

  it('refuses a decision for a call that does not wait', async () => {
    await expect(manager().resume(await over(), { '2': { type: 'approve' } }, { tools })).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'decisions',
    });
  });

  it('refuses anything but what was signed, with this key, in time', async () => {
    const pending = await over();
    const refused = async (changed: unknown, subject = manager()) => {
      await expect(
        subject.resume(changed as PendingApproval, { '1': { type: 'approve' } }, { tools }),
      ).rejects.toMatchObject({
        code: 'approval_invalid',
        subject: 'pending',
      });
    };
    const call = pending.calls[0] ?? calling('', '');
    await refused({ ...pending, calls: [{ ...call, arguments: '{"amount":500}' }] });
    await refused({ ...pending, messages: [...pending.messages].reverse() });
    await refused({ ...pending, context: { conversation: 'bob-1' } });
    await refused({ ...pending, id: 'other' });
    await refused({ ...pending, createdAt: '2020-01-01T00:00:00.000Z' });
    await refused({ ...pending, expiresAt: '2099-01-01T00:00:00.000Z' });
    const { expiresAt: _, ...endless } = pending;
    await refused(endless);
    await refused({ ...pending, version: 2 });
    for (const signature of ['', 'AAAA', '!!', `${pending.signature}A`, pending.signature.slice(1)])
      await refused({ ...pending, signature });
    for (const nothing of [
      null,
      undefined,
      'x',
      {},
      { ...pending, calls: undefined },
      { ...pending, context: { a: undefined, b: Number.NaN } },
    ])
      await refused(nothing);
    await refused(pending, manager({ approvalKey: key.map((byte) => byte ^ 1) }));
    expect(paid).toEqual([]);
    await manager().resume(pending, { '1': { type: 'approve' } }, { tools });
    expect(paid).toEqual([{ amount: 5 }]);
  });

  it('refuses what has expired', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    const subject = manager({ approvalTtlMs: 1_000 });
    const pending = await subject.suspend(await runRound(subject, tools, calls));
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 0, 999));
    await subject.resume(pending, {}, { tools });
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 1));
    await expect(subject.resume(pending, {}, { tools })).rejects.toMatchObject({
      code: 'approval_invalid',
      message: /expired/,
    });
  });

  it.each([Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
    'never refuses for its age what stays valid for ever (%d ms)',
    async (approvalTtlMs) => {
      const subject = manager({ approvalTtlMs });
      const pending: PendingApproval = JSON.parse(
        JSON.stringify(await subject.suspend(await runRound(subject, tools, calls))),
      );
      expect(pending).not.toHaveProperty('expiresAt');
      vi.useFakeTimers({ now: Date.UTC(9999, 0, 1), toFake: ['Date'] });
      await subject.resume(pending, { [pending.calls[0]?.id ?? '']: { type: 'approve' } }, { tools });
      expect(paid).toHaveLength(1);
      const dated = { ...pending, expiresAt: '9999-12-31T00:00:00.000Z' };
      await expect(subject.resume(dated, {}, { tools })).rejects.toMatchObject({ code: 'approval_invalid' });
    },
  );

  it('needs the key', async () => {
    await expect(new ToolCallingManager().resume(await over(), {}, { tools })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('notices a change of any character', async () => {
    const pending = await pendingOf(...calls);
    const text = JSON.stringify(pending);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom('0', 'a', 'Z', '"', '{', '_'),
        async (at, character) => {
          let changed: unknown;
          try {
            changed = JSON.parse(`${text.slice(0, at)}${character}${text.slice(at + 1)}`);
          } catch {
            return;
          }
          if (canonicalJson(JSON.parse(JSON.stringify(changed))) === canonicalJson(JSON.parse(text))) return;
          const work = manager().resume(changed as PendingApproval, {}, { tools });
          // The last character of a signature of 32 bytes holds two bits that mean nothing.
          if (sameBytes(changed, pending)) await work;
          else await expect(work).rejects.toMatchObject({ code: 'approval_invalid' });
        },
      ),
      { numRuns: 120 },
    );
  });
});

function plainText(value: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)));
}

function sameBytes(changed: unknown, pending: PendingApproval): boolean {
  const { signature, ...rest } = changed as PendingApproval;
  const { signature: original, ...unchanged } = pending;
  return (
    typeof signature === 'string' &&
    plainText(rest) === plainText(unchanged) &&
    Buffer.from(signature, 'base64url').equals(Buffer.from(original, 'base64url'))
  );
}

it('limits hold for calls that are approved later', async () => {
  const subject = manager({ limits: { perTool: 1 } });
  const prompt = new Prompt([userMessage('q')], { tools });
  await expect(
    subject.executeToolCalls(prompt, asking(calling('1', 'pay', '{"amount":1}'), calling('2', 'pay', '{"amount":2}'))),
  ).rejects.toMatchObject({
    code: 'tool_limit',
    partial: [],
  });
});

import {
  type AdvisorScope,
  ChatClient,
  foldClient,
  MessageChatMemoryAdvisor,
  ToolCallingAdvisor,
} from '@vernal/client-chat';
import {
  type ApprovalDecision,
  CONVERSATION_ID,
  type Message,
  MessageWindowChatMemory,
  type PendingApproval,
  responseText,
  ToolCallingManager,
  tool,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const callBoth: ScriptStep = {
  text: 'One moment.',
  toolCalls: [
    { id: 'w', name: 'weather', arguments: {} },
    { id: 'p', name: 'pay', arguments: { amount: 10 } },
  ],
  usage: { totalTokens: 3 },
};

function bank(steps: readonly ScriptStep[], scope?: AdvisorScope) {
  const paid: number[] = [];
  const model = new ScriptedChatModel(steps);
  const chatMemory = new MessageWindowChatMemory();
  const manager = new ToolCallingManager({
    approvalKey: new Uint8Array(32).fill(7),
    approve: (call): ApprovalDecision => (call.name === 'pay' ? { type: 'defer' } : { type: 'approve' }),
  });
  const client = ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) })
    .defaultSystem('You pay bills.')
    .defaultTools(
      tool({ name: 'weather', execute: () => 'rain' }),
      tool({
        name: 'pay',
        input: z.object({ amount: z.number() }),
        execute: ({ amount }) => {
          paid.push(amount);
          return 'paid';
        },
      }),
    )
    .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory, scope }))
    .build();
  return { paid, model, client, chatMemory };
}

function throughJson(pending: PendingApproval | undefined): PendingApproval {
  if (pending === undefined) throw new Error('nothing waits');
  return JSON.parse(JSON.stringify(pending)) as PendingApproval;
}

function shapes(messages: readonly Message[]): string[] {
  return messages.map((message) =>
    message.type === 'tool'
      ? `tool: ${message.responses.map(({ result }) => result).join(' | ')}`
      : `${message.type}: ${message.text}`,
  );
}

describe.each(['call', 'stream'] as const)('a turn that waits for approval, in a %s', (mode) => {
  const waiting = async (client: ChatClient): Promise<PendingApproval> => {
    const spec = client.prompt('Pay the bill').conversation('c');
    const response =
      mode === 'call'
        ? await spec.call().chatClientResponse()
        : (await collect(spec.stream().chatClientResponse())).at(-1);
    expect(response?.chatResponse?.result?.metadata.finishReason).toBe('approval');
    expect(response?.chatResponse?.result?.output.toolCalls.map(({ id }) => id)).toEqual(['w', 'p']);
    return throughJson(response?.pendingApproval);
  };

  it('is on the response; nothing is stored before it ends', async () => {
    const { client, paid, chatMemory } = bank([callBoth]);
    const pending = await waiting(client);
    expect(pending.calls.map(({ id }) => id)).toEqual(['p']);
    expect(pending.context).toEqual({ [CONVERSATION_ID]: 'c' });
    expect(paid).toEqual([]);
    expect(await chatMemory.get('c')).toEqual([]);
  });

  it('tells what its rounds have used so far', async () => {
    const first = { toolCalls: [{ id: 'f', name: 'weather', arguments: {} }], usage: { totalTokens: 4 } };
    const { client } = bank([first, callBoth]);
    const spec = client.prompt('Pay the bill').conversation('c');
    const { chatResponse, turn } =
      mode === 'call' ? await spec.call().chatClientResponse() : await foldClient(spec.stream().chatClientResponse());
    expect(chatResponse?.metadata.usage).toMatchObject({
      totalTokens: 7,
      rounds: [{ totalTokens: 4 }, { totalTokens: 3 }],
    });
    expect(turn.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  });

  it('goes on when it was decided, maybe in another process, and is remembered whole', async () => {
    const here = bank([callBoth]);
    const pending = await waiting(here.client);
    const there = bank([{ text: 'Paid.', usage: { totalTokens: 4 } }]);
    const spec = there.client.resume(pending, { p: { type: 'approve' } });
    const text = mode === 'call' ? await spec.call().content() : (await collect(spec.stream().content())).join('');
    expect(text).toBe('Paid.');
    expect(there.paid).toEqual([10]);
    const turn = ['user: Pay the bill', 'assistant: One moment.', 'tool: rain | paid', 'assistant: Paid.'];
    expect(shapes(there.model.prompts[0]?.messages ?? [])).toEqual(['system: You pay bills.', ...turn.slice(0, 3)]);
    expect(shapes(await there.chatMemory.get('c'))).toEqual(turn);
  });

  it('tells the model of a denial', async () => {
    const here = bank([callBoth, 'As you wish.']);
    const pending = await waiting(here.client);
    const spec = here.client.resume(pending, { p: { type: 'deny', reason: 'too much' } });
    const response =
      mode === 'call'
        ? await spec.call().chatClientResponse()
        : (await collect(spec.stream().chatClientResponse())).at(-1);
    expect(here.paid).toEqual([]);
    expect(JSON.stringify(here.model.prompts[1]?.messages.at(-1))).toContain('too much');
    expect(shapes(response?.turn ?? []).at(-1)).toBe('assistant: As you wish.');
  });

  it('may wait again', async () => {
    const here = bank([callBoth, 'Paid.']);
    const first = await waiting(here.client);
    const spec = here.client.resume(first, {});
    const response =
      mode === 'call'
        ? await spec.call().chatClientResponse()
        : (await collect(spec.stream().chatClientResponse())).at(-1);
    const second = throughJson(response?.pendingApproval);
    expect(second.calls.map(({ id }) => id)).toEqual(['p']);
    expect(
      await here.client
        .resume(second, { p: { type: 'approve' } })
        .call()
        .content(),
    ).toBe('Paid.');
    expect(shapes(await here.chatMemory.get('c'))).toHaveLength(4);
  });

  it('refuses what was changed, and stores nothing of it', async () => {
    const { client, chatMemory, paid } = bank([callBoth]);
    const pending = await waiting(client);
    const forged = { ...pending, context: { [CONVERSATION_ID]: 'victim' } };
    const spec = client.resume(forged, { p: { type: 'approve' } });
    const run = mode === 'call' ? spec.call().content() : collect(spec.stream().content());
    await expect(run).rejects.toMatchObject({ code: 'approval_invalid' });
    expect(await chatMemory.get('victim')).toEqual([]);
    expect(paid).toEqual([]);
  });
});

describe('an unfinished turn', () => {
  it('is no answer: content(), chatResponse(), entity() and their streams reject', async () => {
    const runs = [
      (client: ChatClient) => client.prompt('q').conversation('c').call().content(),
      (client: ChatClient) => client.prompt('q').conversation('c').call().chatResponse(),
      (client: ChatClient) => client.prompt('q').conversation('c').call().entity(z.object({})),
      (client: ChatClient) => client.prompt('q').conversation('c').call().entity(z.object({}), { validate: true }),
      (client: ChatClient) => collect(client.prompt('q').conversation('c').stream().content()),
      (client: ChatClient) => collect(client.prompt('q').conversation('c').stream().chatResponse()),
      (client: ChatClient) => client.prompt('q').conversation('c').stream().entity(z.object({})).result(),
    ];
    for (const run of runs) {
      await expect(run(bank([callBoth]).client)).rejects.toMatchObject({
        code: 'approval_required',
        details: { tools: ['pay'] },
      });
    }
  });

  it('takes no user text when it goes on, and needs the tool loop', async () => {
    const { client } = bank([callBoth]);
    const { pendingApproval } = await client.prompt('q').conversation('c').call().chatClientResponse();
    const resumed = client.resume(throughJson(pendingApproval), { p: { type: 'approve' } });
    await expect(resumed.user('and more').call().content()).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'user',
    });
    await expect(resumed.toolCalling(false).call().content()).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'toolCalling',
    });
    // @ts-expect-error an untyped caller
    expect(() => client.resume({ messages: ['?'] }, {})).toThrow(expect.objectContaining({ code: 'approval_invalid' }));
  });

  it('is remembered whole by a memory inside of the tool loop, too', async () => {
    const { client, chatMemory, model } = bank([callBoth, 'Paid.', 'Bye.'], 'round');
    const { pendingApproval } = await client.prompt('Pay the bill').conversation('c').call().chatClientResponse();
    await client
      .resume(throughJson(pendingApproval), { p: { type: 'approve' } })
      .call()
      .content();
    await client.prompt('Thanks').conversation('c').call().content();
    const turn = ['user: Pay the bill', 'assistant: One moment.', 'tool: rain | paid', 'assistant: Paid.'];
    expect(shapes(await chatMemory.get('c'))).toEqual([...turn, 'user: Thanks', 'assistant: Bye.']);
    expect(shapes(model.prompts[1]?.messages ?? [])).toEqual(['system: You pay bills.', ...turn.slice(0, 3)]);
  });

  it('streams what the model said before it waited', async () => {
    const chunks = await collect(bank([callBoth]).client.prompt('q').conversation('c').stream().chatClientResponse());
    const texts = chunks.map(({ chatResponse }) => (chatResponse === undefined ? '' : responseText(chatResponse)));
    expect(texts.join('')).toBe('One moment.');
  });
});

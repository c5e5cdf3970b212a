// `advise` of BaseAdvisor: what stands around the model with one logic for call and stream, written against the public entry only.
import {
  type AdvisorChain,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  type ChunkFilter,
  foldClient,
  type Inward,
  MessageChatMemoryAdvisor,
  ReReadingAdvisor,
  type StreamAdvisorChain,
  ToolCallingAdvisor,
  type TurnRun,
  withRequest,
  withResponse,
} from '@vernal/client-chat';
import { FallbackAdvisor, RetryAdvisor } from '@vernal/client-chat/advisors';
import {
  type ApprovalDecision,
  type ChatModel,
  chatResponse,
  MessageWindowChatMemory,
  messageText,
  noopLogger,
  noopObservationRegistry,
  Prompt,
  ToolCallingManager,
  tool,
  VernalError,
} from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it, vi } from 'vitest';
import { collect } from './collect.js';

/** Asks again until the answer is in capitals. */
class Loud extends BaseAdvisor {
  readonly name: string = 'loud';
  override async advise(request: ChatClientRequest, inward: Inward): Promise<ChatClientResponse> {
    const withhold: ChunkFilter = { pass: () => undefined };
    for (let asked = request; ; ) {
      const response = await inward.ask(asked, withhold);
      const text = response.chatResponse?.result?.output.text ?? '';
      if (text === text.toUpperCase()) return response;
      asked = withRequest(request, { prompt: request.prompt.augmentUserMessage(`Louder than ${text}!`) });
    }
  }
}

describe.each(['call', 'stream'] as const)('advise() in a %s', (mode) => {
  const ask = (client: ChatClient, text = 'q'): Promise<ChatClientResponse> => {
    const spec = client.prompt(text).conversation('c');
    return mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
  };
  const textOf = ({ chatResponse: answer }: ChatClientResponse): string | undefined => answer?.result?.output.text;

  it('asks again, and the turn keeps the question as it was asked', async () => {
    const model = new ScriptedChatModel(['one two', 'ONE TWO']);
    const chatMemory = new MessageWindowChatMemory();
    const client = ChatClient.builder(model)
      .defaultAdvisors(new Loud(), new MessageChatMemoryAdvisor({ chatMemory }))
      .build();
    const response = await ask(client);
    expect(textOf(response)).toBe('ONE TWO');
    expect(model.prompts.map(({ userMessage }) => userMessage.text)).toEqual(['q', 'Louder than one two!']);
    expect(response.turn.map(messageText)).toEqual(['q', 'ONE TWO']);
    expect((await chatMemory.get('c')).map(messageText)).toEqual(['q', 'ONE TWO']);
  });

  it('need not ask at all', async () => {
    class Canned extends BaseAdvisor {
      readonly name = 'canned';
      override async advise({ context }: ChatClientRequest): Promise<ChatClientResponse> {
        return { chatResponse: chatResponse('canned'), context, turn: [] };
      }
    }
    const client = ChatClient.builder(new ScriptedChatModel([])).defaultAdvisors(new Canned()).build();
    expect(textOf(await ask(client))).toBe('canned');
  });

  it('stands inside of before and after of the same class', async () => {
    const seen: string[] = [];
    class Both extends Loud {
      override before(request: ChatClientRequest): ChatClientRequest {
        seen.push('before');
        return withRequest(request, { prompt: request.prompt.augmentUserMessage('changed') });
      }
      override after(response: ChatClientResponse): ChatClientResponse {
        seen.push('after');
        return withResponse(response, { context: { seen: true } });
      }
    }
    const model = new ScriptedChatModel(['no', 'YES']);
    const response = await ask(ChatClient.builder(model).defaultAdvisors(new Both()).build());
    expect(seen).toEqual(['before', 'after']);
    expect(model.prompts.map(({ userMessage }) => userMessage.text)).toEqual(['changed', 'Louder than no!']);
    expect(response.turn.map(messageText)).toEqual(['q', 'YES']);
    expect(response.context).toEqual(expect.objectContaining({ seen: true }));
  });

  it('may be overridden in an advisor of either entry, super and all', async () => {
    const seen: string[] = [];
    class Rereading extends ReReadingAdvisor {
      override async advise(...args: Parameters<ReReadingAdvisor['advise']>): Promise<ChatClientResponse> {
        seen.push('re-reading');
        return super.advise(...args);
      }
    }
    class Retrying extends RetryAdvisor {
      override async advise(...args: Parameters<RetryAdvisor['advise']>): Promise<ChatClientResponse> {
        seen.push('retry');
        return super.advise(...args);
      }
      override before(request: ChatClientRequest): ChatClientRequest {
        seen.push('before retry');
        return request;
      }
    }
    const error = new VernalError('busy', { code: 'model_overloaded', retryable: true });
    const model = new ScriptedChatModel([{ error }, 'fine']);
    const client = ChatClient.builder(model)
      .defaultAdvisors(new Rereading(), new Retrying({ policy: { initialDelayMs: 0 } }))
      .build();
    expect(textOf(await ask(client))).toBe('fine');
    expect(seen).toEqual(['re-reading', 'before retry', 'retry']);
    expect(model.prompts[1]?.userMessage.text).toBe('q\nRead the question again: q');
  });

  it('is told that it gave nothing back', async () => {
    class Forgetful extends BaseAdvisor {
      readonly name = 'forgetful';
      // @ts-expect-error as somebody without types would write it
      override async advise(request: ChatClientRequest, inward: Inward): Promise<void> {
        await inward.ask(request);
      }
    }
    const client = ChatClient.builder(new ScriptedChatModel(['x']))
      .defaultAdvisors(new Forgetful())
      .build();
    await expect(ask(client)).rejects.toMatchObject({ code: 'invalid_state', subject: 'forgetful' });
  });

  it('knows the model, and the run, which is one object for all rounds and tries of a turn', async () => {
    const runs: (TurnRun | undefined)[] = [];
    const models: (ChatModel | undefined)[] = [];
    class Watching extends BaseAdvisor {
      readonly name = 'watching';
      override advise(request: ChatClientRequest, inward: Inward, chain: AdvisorChain): Promise<ChatClientResponse> {
        runs.push(request.run);
        models.push(chain.model);
        return inward.ask(withRequest(request, { context: { some: 'thing' } }));
      }
    }
    const model = new ScriptedChatModel([{ toolCalls: [{ name: 'time', arguments: {} }] }, 'noon', 'again']);
    const client = ChatClient.builder(model)
      .defaultTools(tool({ name: 'time', execute: () => 'noon' }))
      .defaultAdvisors(new Watching())
      .build();
    await ask(client);
    await ask(client);
    expect(runs).toEqual([{ resumed: false }, { resumed: false }, { resumed: false }]);
    expect(runs[1]).toBe(runs[0]);
    expect(runs[2]).not.toBe(runs[0]);
    expect(models).toEqual([model, model, model]);
  });

  it('that asks again about a resumed turn does not run its tools again', async () => {
    let paid = 0;
    const manager = new ToolCallingManager({
      approvalKey: new Uint8Array(32).fill(1),
      approve: (): ApprovalDecision => ({ type: 'defer' }),
    });
    const pay = tool({
      name: 'pay',
      execute: () => {
        paid++;
        return 'paid';
      },
    });
    class Twice extends BaseAdvisor {
      readonly name = 'twice';
      override async advise(request: ChatClientRequest, inward: Inward): Promise<ChatClientResponse> {
        const first = await inward.ask(request, { pass: () => undefined });
        return request.run?.resumed === true ? inward.ask(request) : first;
      }
    }
    const model = new ScriptedChatModel([
      { toolCalls: [{ id: 'p', name: 'pay', arguments: {} }] },
      'It is paid.',
      'As I said.',
    ]);
    const client = ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) })
      .defaultTools(pay)
      .defaultAdvisors(new Twice({ scope: 'turn' }))
      .build();
    const { pendingApproval } = await ask(client);
    if (pendingApproval === undefined) throw new Error('nothing waits');
    const resumed = client.resume(pendingApproval, { p: { type: 'approve' } });
    const response =
      mode === 'call'
        ? await resumed.call().chatClientResponse()
        : await foldClient(resumed.stream().chatClientResponse());
    expect(paid).toBe(1);
    expect(textOf(response)).toBe('As I said.');
  });
});

it('an advisor without a client works over a chain of somebody’s own', async () => {
  const advisor = new FallbackAdvisor({ models: [{ model: new ScriptedChatModel(['from the next']) }] });
  const chain: StreamAdvisorChain = {
    observationRegistry: noopObservationRegistry,
    logger: noopLogger,
    streamAdvisors: [],
    async *nextStream() {
      yield* [];
      throw new Error('broken');
    },
    copy: () => chain,
  };
  const chunks = await collect(advisor.adviseStream({ prompt: new Prompt('q'), context: {} }, chain));
  expect(chunks.map(({ chatResponse: answer }) => answer?.result?.output.text ?? '').join('')).toBe('from the next');
});

it('an advisor of another copy of the package works in a client of this one, in both modes', async () => {
  vi.resetModules();
  const other = await import('@vernal/client-chat/advisors');
  expect(other.RetryAdvisor).not.toBe(RetryAdvisor);
  const error = new VernalError('busy', { code: 'model_overloaded', retryable: true });
  const model = new ScriptedChatModel([{ error }, 'Hi [EMAIL_1]', { error }, 'Hi [EMAIL_1]']);
  const client = ChatClient.builder(model)
    .defaultAdvisors(
      new other.RetryAdvisor({ policy: { initialDelayMs: 0 } }),
      new other.RedactionAdvisor({ patterns: [other.redactionPatterns.email], restore: true }),
    )
    .build();
  expect(await client.prompt('ann@example.org').call().content()).toBe('Hi ann@example.org');
  expect((await collect(client.prompt('ann@example.org').stream().content())).join('')).toBe('Hi ann@example.org');
});

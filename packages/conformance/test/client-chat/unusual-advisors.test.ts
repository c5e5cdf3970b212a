// Advisors that do legal, rare things: ask twice at once, stop waiting, answer nothing.
import { BaseAdvisor, type CallAdvisor, ChatClient, type StreamAdvisor, ToolCallingAdvisor } from '@vernal/client-chat';
import {
  BaseChatModel,
  type ChatResponse,
  chatResponse,
  type Logger,
  type ModelRequest,
  noopLogger,
  TEXT_ONLY,
  tool,
  VernalError,
} from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { collect } from './collect.js';

const textOf = async (chunks: AsyncIterable<string>): Promise<string> => (await collect(chunks)).join('');
const clientWith = (model: ScriptedChatModel | Hanging, ...advisors: CallAdvisor[]): ChatClient =>
  ChatClient.builder(model)
    .defaultAdvisors(...advisors)
    .build();

/** Says a word and then nothing more, until its signal fires. */
class Hanging extends BaseChatModel {
  readonly provider = 'hanging';
  readonly capabilities = TEXT_ONLY;
  open = 0;
  protected async *doStream({ signal }: ModelRequest): AsyncIterable<ChatResponse> {
    this.open++;
    try {
      yield chatResponse('well ');
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    } finally {
      this.open--;
    }
  }
}

describe('an advisor that asks twice at once', () => {
  const choosing = (which: number): CallAdvisor => ({
    name: 'best of two',
    order: 0,
    async adviseCall(request, chain) {
      const answers = await Promise.all([chain.nextCall(request), chain.nextCall(request)]);
      return answers[which] ?? Promise.reject(new Error('none'));
    },
  });

  it.each([0, 1])(
    'gives the answer it chose (%i) and nothing of the other, in a stream as in a call',
    async (which) => {
      const script = [
        { text: 'first', chunks: 'char' as const },
        { text: 'second', chunks: 'char' as const },
      ];
      const expected = script[which]?.text;
      const called = clientWith(new ScriptedChatModel(script), choosing(which));
      expect(await called.prompt('x').call().content()).toBe(expected);
      const streamed = clientWith(new ScriptedChatModel(script), choosing(which));
      expect(await textOf(streamed.prompt('x').stream().content())).toBe(expected);
    },
  );
});

describe('an advisor that stops waiting', () => {
  const impatient = (answer: 'throws' | 'answers'): CallAdvisor => ({
    name: 'impatient',
    order: 0,
    async adviseCall(request, chain) {
      const given = chain.nextCall(request);
      await new Promise((resolve) => setImmediate(resolve));
      given.catch(() => undefined);
      if (answer === 'throws') throw new Error('too late');
      return { chatResponse: chatResponse('never mind'), context: request.context, turn: [] };
    },
  });

  it('ends a stream with what it says, and closes the model', async () => {
    const model = new Hanging();
    expect(await textOf(clientWith(model, impatient('answers')).prompt('x').stream().content())).toBe('never mind');
    expect(model.open).toBe(0);
    await expect(textOf(clientWith(model, impatient('throws')).prompt('x').stream().content())).rejects.toThrow(
      'too late',
    );
    expect(model.open).toBe(0);
  });

  it('also when chunks went out already: what it says follows them', async () => {
    const model = new Hanging();
    const enough: StreamAdvisor = {
      name: 'enough',
      order: 0,
      async *adviseStream(request, chain) {
        for await (const chunk of chain.nextStream(request)) {
          yield chunk;
          yield { chatResponse: chatResponse('enough'), context: request.context, turn: [] };
          return;
        }
      },
    };
    const client = ChatClient.builder(model).defaultAdvisors(enough).build();
    expect(await textOf(client.prompt('x').stream().content())).toBe('well enough');
    expect(model.open).toBe(0);
  });

  it('gives nothing of what it asked and did not wait for', async () => {
    const hasty: CallAdvisor = {
      name: 'hasty',
      order: 0,
      adviseCall: (request, chain) => Promise.race([chain.nextCall(request), chain.nextCall(request)]),
    };
    const model = new ScriptedChatModel([{ text: 'one' }, { text: 'two' }]);
    expect(await textOf(clientWith(model, hasty).prompt('x').stream().content())).toBe('one');
  });
});

describe('an advisor that gives nothing back', () => {
  class Forgetful extends BaseAdvisor {
    readonly name = 'forgetful';
    readonly #where: 'before' | 'after';
    constructor(where: 'before' | 'after') {
      super();
      this.#where = where;
    }
    override before(...[request]: Parameters<BaseAdvisor['before']>): ReturnType<BaseAdvisor['before']> {
      return this.#where === 'before' ? (undefined as never) : request;
    }
    override after(...[response]: Parameters<BaseAdvisor['after']>): ReturnType<BaseAdvisor['after']> {
      return this.#where === 'after' ? (undefined as never) : response;
    }
  }
  const silent: CallAdvisor = { name: 'forgetful', order: 0, adviseCall: async () => undefined as never };

  it.each([
    ['before()', new Forgetful('before')],
    ['after()', new Forgetful('after')],
    ['adviseCall()', silent],
  ])('is named, with what it has to return: %s', async (where, advisor) => {
    const isHelpful = (error: unknown): boolean =>
      VernalError.is(error) && error.subject === 'forgetful' && error.message.includes(where);
    const client = clientWith(new ScriptedChatModel([{ text: 'a' }, { text: 'a' }]), advisor);
    await expect(client.prompt('x').call().content()).rejects.toSatisfy(isHelpful);
    await expect(textOf(client.prompt('x').stream().content())).rejects.toSatisfy(isHelpful);
  });
});

it('an advisor may ask the client that it stands in', async () => {
  const model = new ScriptedChatModel([{ text: 'inner' }, { text: 'outer' }, { text: 'inner' }, { text: 'outer' }]);
  const advisor: CallAdvisor = {
    name: 'asks itself',
    order: 0,
    async adviseCall(request, chain) {
      if (request.prompt.contents === 'inner?') return chain.nextCall(request);
      const said = await client.prompt('inner?').call().content();
      return chain.nextCall({ ...request, prompt: request.prompt.augmentSystemMessage(said) });
    },
  };
  const client: ChatClient = clientWith(model, advisor);
  expect(await client.prompt('outer?').call().content()).toBe('outer');
  expect(await textOf(client.prompt('outer?').stream().content())).toBe('outer');
  expect(model.prompts.map(({ contents }) => contents)).toEqual(['inner?', 'innerouter?', 'inner?', 'innerouter?']);
});

it('a tool advisor that two clients share warns the logger of the client that runs', async () => {
  const toolCallingAdvisor = new ToolCallingAdvisor();
  const warned: string[] = [];
  for (const name of ['a', 'b']) {
    const logger: Logger = { ...noopLogger, warn: () => void warned.push(name) };
    const model = new ScriptedChatModel([{ toolCalls: [{ name: 'none', arguments: {} }] }, { text: 'ok' }]);
    const client = ChatClient.create(model, { toolCallingAdvisor, logger });
    await client
      .prompt('x')
      .tools(tool({ name: 'some', execute: () => 1 }))
      .call()
      .content();
  }
  expect(warned).toEqual(['a', 'b']);
});

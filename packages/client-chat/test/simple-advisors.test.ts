import { ChatClient, ReReadingAdvisor, SimpleLoggerAdvisor, ToolCallingAdvisor } from '@vernal/client-chat';
import { type Logger, PromptTemplate, responseText } from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

function recorder(): { readonly logger: Logger; readonly lines: [string, unknown][] } {
  const lines: [string, unknown][] = [];
  return { logger: { debug: (line, data) => lines.push([line, data]), info() {}, warn() {} }, lines };
}

describe.each(['call', 'stream'] as const)('SimpleLoggerAdvisor in a %s', (mode) => {
  const run = async (client: ChatClient): Promise<void> => {
    if (mode === 'call') await client.prompt('my secret').call().content();
    else await collect(client.prompt('my secret').stream().content());
  };

  it('logs the request and the whole response once, without contents', async () => {
    const { logger, lines } = recorder();
    await run(
      ChatClient.builder(new HandWrittenModel(['a hidden answer']))
        .defaultOptions({ model: 'm' })
        .defaultAdvisors(new SimpleLoggerAdvisor({ logger }))
        .build(),
    );
    expect(lines).toEqual([
      ['request', { messages: ['user'], model: 'm' }],
      ['response', { finishReasons: ['stop'], usage: {} }],
    ]);
  });

  it('logs contents when it is told to, or what its functions say', async () => {
    const { logger, lines } = recorder();
    const client = ChatClient.builder(new HandWrittenModel(['an answer']));
    await run(
      client
        .clone()
        .defaultAdvisors(new SimpleLoggerAdvisor({ logger, content: true }))
        .build(),
    );
    expect(JSON.stringify(lines)).toMatch(/my secret.*an answer/);
    lines.length = 0;
    const own = new SimpleLoggerAdvisor({
      logger,
      requestToString: ({ prompt }) => `asked ${prompt.contents.length}`,
      responseToString: (response) => responseText(response).toUpperCase(),
    });
    await run(client.clone().defaultAdvisors(own).build());
    expect(lines).toEqual([
      ['request', { request: 'asked 9' }],
      ['response', { response: 'AN ANSWER' }],
    ]);
  });

  it('logs every round, or the turn, by its scope', async () => {
    const answers = [{ toolCalls: [{ id: '1', name: 'x', arguments: '{}' }] }, 'ok'];
    for (const [scope, count] of [
      ['round', 4],
      ['turn', 2],
    ] as const) {
      const { logger, lines } = recorder();
      await run(
        ChatClient.builder(new HandWrittenModel(answers))
          .defaultAdvisors(new SimpleLoggerAdvisor({ logger, scope }))
          .build(),
      );
      expect(lines).toHaveLength(count);
    }
  });
});

describe('ReReadingAdvisor', () => {
  it('repeats the question for the model; the turn keeps it as it was asked', async () => {
    const model = new HandWrittenModel(['ok']);
    const client = ChatClient.builder(model).defaultSystem('s').defaultAdvisors(new ReReadingAdvisor()).build();
    const { turn } = await client.prompt('Why {x}?').call().chatClientResponse();
    expect(model.prompts[0]?.userMessage.text).toBe('Why {x}?\nRead the question again: Why {x}?');
    expect(turn[0]).toMatchObject({ type: 'user', text: 'Why {x}?' });
  });

  it('takes a template of one’s own, which must name the question', async () => {
    const model = new HandWrittenModel(['ok']);
    const promptTemplate = new PromptTemplate('{re2_input_query} ({re2_input_query})');
    await collect(
      ChatClient.create(model).prompt('Why?').advisors(new ReReadingAdvisor({ promptTemplate })).stream().content(),
    );
    expect(model.prompts[0]?.userMessage.text).toBe('Why? (Why?)');
    expect(() => new ReReadingAdvisor({ promptTemplate: new PromptTemplate('{question}') })).toThrow(
      expect.objectContaining({ code: 'template' }),
    );
  });

  it('stands around the tool loop: once a turn', async () => {
    const model = new HandWrittenModel([{ toolCalls: [{ id: '1', name: 'x', arguments: '{}' }] }, 'ok']);
    await ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ maxRounds: 4 }) })
      .defaultAdvisors(new ReReadingAdvisor())
      .build()
      .prompt('Why?')
      .call()
      .content();
    expect(model.prompts.map(({ userMessage: { text } }) => text.match(/Why/g)?.length)).toEqual([2, 2]);
  });
});

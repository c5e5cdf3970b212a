import type { Message } from '@vernal/core';
import { fold, Prompt, toolResponseMessage, userMessage } from '@vernal/core';
import { check, checkEqual, present } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { argumentsValue, askBothWays, chunkText, collect, firstOf, weather } from './chat-views.js';

const ask = (): Prompt => new Prompt('Weather?', { tools: [weather] });

export const toolCallCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  {
    id: 'chat.tools.call',
    title: 'a tool call has id, name and arguments, and the finish reason says so',
    async run(stage) {
      const step = { toolCalls: [{ id: 'call_abc', name: 'weather', arguments: { city: 'Delft', days: [1, 2] } }] };
      const sendsIds = String(stage.wire.call([step]).parts[0]).includes('call_abc');
      for (const [face, response] of await askBothWays(stage, step, ask())) {
        const { output, metadata } = firstOf(response);
        checkEqual(output.toolCalls.length, 1, `tool calls by ${face}`);
        const call = present(output.toolCalls[0], 'the call');
        check(sendsIds ? call.id === 'call_abc' : call.id !== '', `id by ${face} is '${call.id}'`);
        checkEqual(call.name, 'weather', `name by ${face}`);
        checkEqual(argumentsValue(call.arguments), { city: 'Delft', days: [1, 2] }, `arguments by ${face}`);
        checkEqual(metadata.finishReason, 'tool_calls', `finish reason by ${face}`);
        checkEqual(output.text, '', `text by ${face}`);
      }
    },
  },
  {
    id: 'chat.tools.parallel',
    title: 'calls of one turn keep their order, their ids apart and their arguments whole',
    async run(stage) {
      const cities = ['Delft', 'Zürich', '東京'];
      const step = {
        toolCalls: cities.map((city) => ({ name: 'weather', arguments: { city } })),
        chunks: 'char',
      } as const;
      for (const [face, response] of await askBothWays(stage, step, ask())) {
        const calls = firstOf(response).output.toolCalls;
        checkEqual(
          calls.map((call) => argumentsValue(call.arguments)),
          cities.map((city) => ({ city })),
          `arguments by ${face}`,
        );
        checkEqual(new Set(calls.map((call) => call.id)).size, 3, `different ids by ${face}`);
      }
    },
  },
  {
    id: 'chat.tools.empty-arguments',
    title: 'a call without arguments is a call',
    async run(stage) {
      for (const [face, response] of await askBothWays(
        stage,
        { toolCalls: [{ name: 'weather', arguments: '' }] },
        ask(),
      )) {
        const call = present(firstOf(response).output.toolCalls[0], `the call by ${face}`);
        check(call.arguments === '' || call.arguments === '{}', `arguments by ${face} are '${call.arguments}'`);
      }
    },
  },
  {
    id: 'chat.tools.text-before',
    title: 'text before a tool call is kept',
    async run(stage) {
      const step = { text: 'Let me look. ', toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }] };
      for (const [face, response] of await askBothWays(stage, step, ask())) {
        const { output } = firstOf(response);
        checkEqual([output.text, output.toolCalls.length], ['Let me look. ', 1], `text and calls by ${face}`);
      }
    },
  },
  {
    id: 'chat.tools.offered',
    title: 'tools arrive in the request, in their order, with description and schema',
    async run(stage) {
      await askBothWays(stage, 'No tool needed.', ask());
      for (const request of stage.server.requests) {
        checkEqual(stage.wire.request(request.json).tools, ['weather'], 'tools of the request');
        check(request.text.includes('The weather of a city'), 'the description must be in the request');
      }
    },
  },
  {
    id: 'chat.tools.round-trip',
    title: "the model's calls and their results go back with the next request",
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.tools) notDeclared('tools are not declared');
      stage.answer({ toolCalls: ['Delft', 'Rome'].map((city) => ({ name: 'weather', arguments: { city } })) });
      const { output } = firstOf(await fold(model.stream(ask())));
      const results = output.toolCalls.map(({ id, name }, index) => ({ id, name, result: `result ${index}` }));
      const messages: Message[] = [userMessage('Weather?'), output, toolResponseMessage(results)];
      stage.answer('Rain and sun.');
      const chunks = await collect(model.stream(ask().withMessages(messages)));
      checkEqual(chunkText(chunks), 'Rain and sun.', 'the answer');
      const sent = stage.wire.request(stage.server.requests[1]?.json).messages;
      checkEqual(
        sent.map((message) => message.type),
        ['user', 'assistant', 'tool'],
        'messages of the second request',
      );
      const [, assistant, tool] = sent;
      const calls = assistant?.type === 'assistant' ? assistant.toolCalls : [];
      checkEqual(
        calls.map((call) => argumentsValue(call.arguments)),
        [{ city: 'Delft' }, { city: 'Rome' }],
        'calls sent back',
      );
      const responses = tool?.type === 'tool' ? tool.responses : [];
      checkEqual(
        responses.map((one) => one.result),
        ['result 0', 'result 1'],
        'results sent back',
      );
      checkEqual(
        responses.map((one) => one.id),
        calls.map((call) => call.id),
        'ids of calls and results',
      );
    },
  },
  {
    id: 'chat.tools.choice',
    title: 'the tool choice arrives',
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.tools || !model.capabilities.toolChoice) notDeclared('toolChoice is not declared');
      for (const toolChoice of ['required', { tool: 'weather' }] as const) {
        stage.answer('x');
        await model.call(ask().withOptions({ toolChoice }));
        const sent = stage.wire.request(stage.server.requests.at(-1)?.json).options['toolChoice'];
        checkEqual(sent, toolChoice, 'tool choice of the request');
      }
    },
  },
];

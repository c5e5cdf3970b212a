import type { ChatOptions } from '@vernal/core';
import { assistantMessage, messageText, Prompt, systemMessage, userMessage } from '@vernal/core';
import { check, checkEqual } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { collect } from './chat-views.js';

const OPTIONS: ChatOptions = {
  model: 'model-of-the-suite',
  temperature: 0.25,
  topP: 0.75,
  topK: 17,
  maxTokens: 123,
  stopSequences: ['END', 'STOP'],
  frequencyPenalty: 0.5,
  presencePenalty: -0.5,
};

/** What the model sends. */
export const requestCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  {
    id: 'chat.request.options',
    title: 'every portable option that the model supports arrives, in call and stream',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      const unsupported: readonly string[] = model.capabilities.unsupportedOptions;
      const options = Object.fromEntries(Object.entries(OPTIONS).filter(([name]) => !unsupported.includes(name)));
      const prompt = new Prompt('Hello', options);
      stage.answer('x');
      await model.call(prompt);
      stage.answer('x');
      await collect(model.stream(prompt));
      for (const { json } of server.requests) {
        const sent = wire.request(json).options;
        for (const [name, value] of Object.entries(options)) checkEqual(sent[name], value, `option ${name}`);
      }
    },
  },
  {
    id: 'chat.request.null-unsets',
    title: 'an option set to null is not sent',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      stage.answer('x');
      await model.call(new Prompt('Hello', { temperature: null, stopSequences: null }));
      const sent = wire.request(server.requests[0]?.json).options;
      checkEqual([sent['temperature'], sent['stopSequences']], [undefined, undefined], 'options sent');
    },
  },
  {
    id: 'chat.request.messages',
    title: 'messages arrive in their order with their text as it is',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      const texts = ['Be terse {"a": 1}', 'First €', 'Answer 😀\n', ' Second '];
      const [system = '', first = '', answer = '', second = ''] = texts;
      stage.answer('x');
      await model.call(
        new Prompt([systemMessage(system), userMessage(first), assistantMessage(answer), userMessage(second)]),
      );
      const sent = wire.request(server.requests[0]?.json).messages;
      checkEqual(
        sent.map((message) => message.type),
        ['system', 'user', 'assistant', 'user'],
        'messages',
      );
      checkEqual(sent.map(messageText), texts, 'texts');
    },
  },
  {
    id: 'chat.request.extra',
    title: '`extra` is put into the body as it is',
    async run({ server, ...stage }) {
      const model = await stage.model();
      const extra = { vernal_probe: { deep: [1, 'two', null] } };
      stage.answer('x');
      await model.call(new Prompt('Hello', { extra }));
      stage.answer('x');
      await collect(model.stream(new Prompt('Hello', { extra })));
      for (const { json } of server.requests) {
        const sent: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'vernal_probe') : undefined;
        checkEqual(sent, extra.vernal_probe, 'vernal_probe of the body');
      }
    },
  },
  {
    id: 'chat.request.context-stays',
    title: 'the tool context, metadata of messages and options of other providers are not sent',
    async run({ server, ...stage }) {
      const model = await stage.model();
      const secret = 'stays-in-this-process';
      stage.answer('x');
      await model.call(
        new Prompt([userMessage('Hello', { metadata: { secret } })], {
          toolContext: { secret },
          providerOptions: { 'another-provider': { secret } },
        }),
      );
      const [request] = server.requests;
      check(request !== undefined && !request.text.includes(secret), 'the request must not hold it');
    },
  },
  {
    id: 'chat.request.not-changed',
    title: 'the prompt is the same after the call as before',
    async run({ server: _server, ...stage }) {
      const model = await stage.model();
      const prompt = new Prompt([systemMessage('a'), userMessage('b')], { temperature: 0.5, stopSequences: ['x'] });
      if (model.capabilities.unsupportedOptions.includes('stopSequences'))
        notDeclared('stopSequences are not supported');
      const before = JSON.stringify([prompt.messages, prompt.options]);
      stage.answer('x');
      await model.call(prompt);
      checkEqual(JSON.stringify([prompt.messages, prompt.options]), before, 'the prompt');
    },
  },
];

import type { ChatModel, ChatOptions } from '@vernal/core';
import { media, Prompt, UnsupportedCapabilityError, userMessage } from '@vernal/core';
import { check, checkEqual, rejection, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { ModelStage, WireStage } from './chat-stage.js';
import { collect, weather } from './chat-views.js';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const VALUES: ChatOptions = {
  model: 'm',
  temperature: 0.5,
  topP: 0.5,
  topK: 3,
  maxTokens: 5,
  stopSequences: ['x'],
  frequencyPenalty: 0.5,
  presencePenalty: 0.5,
  toolChoice: 'required',
  outputSchema: SCHEMA,
};
/** A pixel, as PNG. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function checkRefused(model: ChatModel, prompt: Prompt, what: string): Promise<void> {
  for (const run of [() => model.call(prompt), () => collect(model.stream(prompt))]) {
    const error = await rejection(run, what);
    check(
      UnsupportedCapabilityError.is(error),
      `${what} must be refused with UnsupportedCapabilityError, got ${show(error)}`,
    );
    check(error.capability !== '' && error.owner !== '', `the refusal of ${what} must name capability and owner`);
  }
}

/** What is not declared is refused before anything is sent. Also for models in this process. */
export const refusalCases: readonly SuiteCase<ChatModelCaseId, ModelStage>[] = [
  {
    id: 'chat.refused.options',
    title: 'options that the model does not have are refused',
    async run(stage) {
      const model = await stage.model();
      const { unsupportedOptions } = model.capabilities;
      if (unsupportedOptions.length === 0) notDeclared('every option is supported');
      for (const name of unsupportedOptions) {
        if (VALUES[name] === undefined) continue;
        await checkRefused(model, new Prompt('Hello', { [name]: VALUES[name] }), `option ${name}`);
      }
    },
  },
  {
    id: 'chat.refused.tools',
    title: 'tools are refused by a model without them',
    async run(stage) {
      const model = await stage.model({ tools: false });
      if (model.capabilities.tools) notDeclared('tools cannot be switched off');
      await checkRefused(model, new Prompt('Hello', { tools: [weather] }), 'tools');
    },
  },
  {
    id: 'chat.refused.output-schema',
    title: 'an output schema is refused by a model without structured output',
    async run(stage) {
      const model = await stage.model({ outputSchema: 'none' });
      if (model.capabilities.outputSchema !== 'none') notDeclared('structured output cannot be switched off');
      await checkRefused(model, new Prompt('Hello', { outputSchema: SCHEMA }), 'outputSchema');
    },
  },
  {
    id: 'chat.refused.media',
    title: 'media of a type that is not declared are refused',
    async run(stage) {
      const model = await stage.model({ mediaInput: [] });
      if (model.capabilities.mediaInput.includes('*/*')) notDeclared('every type is declared');
      const odd = media('application/x-vernal-unknown', new Uint8Array([1, 2, 3]), { name: 'odd' });
      await checkRefused(model, new Prompt([userMessage('Look', { media: [odd] })]), 'media');
    },
  },
];

/** What is declared arrives. */
export const declarationCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  {
    id: 'chat.refused.nothing-sent',
    title: 'what is refused is refused before a request',
    async run({ server, ...stage }) {
      const model = await stage.model({ mediaInput: [] });
      if (model.capabilities.mediaInput.includes('*/*')) notDeclared('every type is declared');
      const odd = media('application/x-vernal-unknown', new Uint8Array([1]), { name: 'odd' });
      await checkRefused(model, new Prompt([userMessage('Look', { media: [odd] })]), 'media');
      checkEqual(server.requests.length, 0, 'requests');
    },
  },
  {
    id: 'chat.declared.output-schema',
    title: 'a declared output schema arrives with its properties',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      if (model.capabilities.outputSchema !== 'schema') notDeclared('output schemas are not declared');
      stage.answer('{"city":"Delft"}');
      await model.call(new Prompt('Which city?', { outputSchema: SCHEMA }));
      const sent = wire.request(server.requests[0]?.json).options['outputSchema'];
      check(typeof sent === 'object' && sent !== null, 'the schema must be in the request');
      checkEqual(Object.keys(Object(Reflect.get(sent, 'properties'))), ['city'], 'properties of the schema sent');
    },
  },
  {
    id: 'chat.declared.images',
    title: 'a declared image arrives beside its text',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      const takes = model.capabilities.mediaInput.some((type) => ['image/*', 'image/png', '*/*'].includes(type));
      if (!takes) notDeclared('images are not declared');
      const image = media('image/png', { type: 'base64', base64: PIXEL }, { name: 'pixel' });
      stage.answer('A pixel.');
      await model.call(new Prompt([userMessage('What is it?', { media: [image] })]));
      const [sent] = wire.request(server.requests[0]?.json).messages;
      check(
        sent?.type === 'user' && sent.text === 'What is it?' && sent.media.length === 1,
        'text and image must arrive',
      );
      check(server.requests[0]?.text.includes(PIXEL) === true, 'the bytes of the image must be in the request');
    },
  },
];

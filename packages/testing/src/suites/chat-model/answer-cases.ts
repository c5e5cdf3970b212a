import { fold, Prompt } from '@vernal/core';
import type { ScriptAnswer } from '../../doubles/script-step.js';
import { check, checkEqual } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { askBothWays, chunkText, collect, firstOf, view } from './chat-views.js';

/** Two-, three- and four-byte characters, what SSE and JSON could trip over, and white space at both ends. */
const DIFFICULT = ' \n\tÄ€😀 data: x\r\n\r\n{"a":"\\u0041"} [DONE]\u2028 <end>  ';
const RICH: ScriptAnswer = {
  text: DIFFICULT,
  toolCalls: [
    { id: 'id_1', name: 'weather', arguments: { city: 'Zürich €', note: 'a"b\\' } },
    { id: 'id_2', name: 'weather', arguments: { city: '東京 😀' } },
  ],
  usage: { promptTokens: 21, completionTokens: 34, totalTokens: 55 },
};

const ask = (): Prompt => new Prompt('Hello');

/** Text, chunks and the bytes that they come in. */
export const answerCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  {
    id: 'chat.text.exact',
    title: 'text comes as it was sent: white space, emoji, what looks like protocol',
    async run(stage) {
      for (const [face, response] of await askBothWays(stage, { text: DIFFICULT, chunks: 'char' }, ask())) {
        checkEqual(firstOf(response).output.text, DIFFICULT, `text by ${face}`);
      }
    },
  },
  {
    id: 'chat.text.empty',
    title: 'an answer without text is an answer',
    async run(stage) {
      for (const [face, response] of await askBothWays(stage, { text: '' }, ask())) {
        checkEqual(firstOf(response).output.text, '', `text by ${face}`);
        checkEqual(firstOf(response).metadata.finishReason, 'stop', `finish reason by ${face}`);
      }
    },
  },
  {
    id: 'chat.text.model-name',
    title: "the response names the model that answered, and the provider's id of the answer when there is one",
    async run(stage) {
      const sent = String(stage.wire.call(['x']).parts[0]);
      for (const [face, { metadata }] of await askBothWays(stage, 'x', ask())) {
        check(
          sent.includes(`"${metadata.model}"`),
          `metadata.model by ${face} is '${metadata.model}', which was not sent`,
        );
        if (/"id":"/.test(sent)) check(sent.includes(`"${metadata.id}"`), `metadata.id by ${face} is '${metadata.id}'`);
      }
    },
  },
  {
    id: 'chat.stream.deltas',
    title: 'text comes in the pieces that the provider sent, while they come',
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      stage.answer({ text: 'one two three', chunks: [4, 4] });
      const chunks = await collect(model.stream(ask()));
      const texts = chunks.map((chunk) => chunk.result?.output.text ?? '').filter((text) => text !== '');
      checkEqual(texts, ['one ', 'two ', 'three'], 'text deltas');
    },
  },
  {
    id: 'chat.stream.every-byte',
    title: 'a stream cut at every byte gives the same as one that is not cut',
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.tools) notDeclared('tools are not declared');
      stage.answer(RICH);
      stage.answerCut({ each: 1 }, RICH);
      const whole = await fold(model.stream(ask()));
      const cut = await fold(model.stream(ask()));
      checkEqual(view(cut), view(whole), 'the cut stream');
      checkEqual(firstOf(cut).output.text, DIFFICULT, 'its text');
    },
  },
  {
    id: 'chat.stream.random-cuts',
    title: 'a stream cut anywhere gives the same',
    async run(stage, random) {
      const model = await stage.model();
      const step: ScriptAnswer = { text: DIFFICULT, chunks: 'char', usage: { promptTokens: 3, completionTokens: 5 } };
      const length = stage.wire
        .stream([step])
        .parts.reduce((sum, part) => sum + new TextEncoder().encode(String(part)).length, 0);
      for (let round = 0; round < 6; round++) {
        stage.answerCut({ at: Array.from({ length: 5 }, () => random.below(length)) }, step);
        checkEqual(chunkText(await collect(model.stream(ask()))), DIFFICULT, `text of round ${round}`);
      }
    },
  },
  {
    id: 'chat.stream.equals-call-rich',
    title: 'text, tool calls and usage together: call equals fold(stream)',
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.tools) notDeclared('tools are not declared');
      stage.answer(RICH);
      stage.answer({ ...RICH, chunks: 'char' });
      checkEqual(view(await fold(model.stream(ask()))), view(await model.call(ask())), 'the folded stream');
    },
  },
  {
    id: 'chat.stream.asks-when-read',
    title: 'a stream asks when it is first read, and once',
    async run({ server, ...stage }) {
      const model = await stage.model();
      const stream = model.stream(ask());
      await model.stream(ask())[Symbol.asyncIterator]().return?.();
      checkEqual(server.requests.length, 0, 'requests before the stream is read');
      stage.answer('one');
      await collect(stream);
      try {
        checkEqual(chunkText(await collect(stream)), '', 'text of a second reading');
      } catch (error) {
        if (error instanceof Error && error.name === 'SuiteFailure') throw error;
      }
      checkEqual(server.requests.length, 1, 'requests after reading it twice');
    },
  },
  {
    id: 'chat.call.concurrent',
    title: 'calls at the same time do not mix',
    async run({ server, wire, ...stage }) {
      const model = await stage.model();
      const names = Array.from({ length: 8 }, (_, index) => `name-${index}`);
      for (const _ of names) {
        server.add((request) => {
          const asked = wire.request(request.json).messages.at(-1);
          const steps = [{ text: `You are ${asked?.type === 'user' ? asked.text : '?'}`, chunks: 'char' }] as const;
          return wire.isStream(request) ? wire.stream(steps) : wire.call(steps);
        });
      }
      const texts = await Promise.all(
        names.map(async (name, index) => {
          const prompt = new Prompt(name);
          return index % 2 === 0
            ? firstOf(await model.call(prompt)).output.text
            : chunkText(await collect(model.stream(prompt)));
        }),
      );
      checkEqual(
        texts,
        names.map((name) => `You are ${name}`),
        'answers',
      );
    },
  },
];

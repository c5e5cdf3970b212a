import type { ChatModel, ChatResponse } from '@vernal/core';
import { fold, Prompt } from '@vernal/core';
import { check, checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { ModelStage } from './chat-stage.js';
import { collect, counters, view } from './chat-views.js';
import { countingSignal } from './counting-signal.js';
import { unhandledRejections } from './unhandled-rejections.js';

const ANSWER = 'Three words here';
const ask = (): Prompt => new Prompt('Say three words.');

async function streamed(model: ChatModel): Promise<ChatResponse[]> {
  return collect(model.stream(ask()));
}

/** What holds for every model, also for one in this process. */
export const modelCases: readonly SuiteCase<ChatModelCaseId, ModelStage>[] = [
  {
    id: 'chat.model.plain-data',
    title: 'provider is a stable lower-case name, capabilities are plain data',
    async run(stage) {
      const { provider, capabilities } = await stage.model();
      check(/^[a-z][a-z0-9_.-]*$/.test(provider), `provider '${provider}' must be lower case`);
      checkEqual(JSON.parse(JSON.stringify(capabilities)), capabilities, 'capabilities after JSON');
    },
  },
  {
    id: 'chat.stream.folds-to-call',
    title: 'call(prompt) equals fold(stream(prompt))',
    async run(stage) {
      const model = await stage.model();
      const step = { text: ANSWER, usage: { promptTokens: 9, completionTokens: 4, totalTokens: 13 } };
      stage.answer(step);
      stage.answer(step);
      const whole = await model.call(ask());
      checkEqual(view(await fold(model.stream(ask()))), view(whole), 'the folded stream');
      checkEqual(view(await fold([whole])), view(whole), 'the folded response, folded again');
    },
  },
  {
    id: 'chat.stream.lazy',
    title: 'a stream that is never read asks for nothing and can be dropped',
    async run(stage) {
      const model = await stage.model();
      model.stream(ask());
      stage.answer(ANSWER);
      const chunks = await streamed(model);
      check(chunks.length > 0, 'the second stream, which is read, must be answered');
    },
  },
  {
    id: 'chat.stream.result',
    title: 'every chunk has result = results[0]',
    async run(stage) {
      const model = await stage.model();
      stage.answer(ANSWER);
      for (const chunk of await streamed(model)) check(chunk.result === chunk.results[0], 'result must be results[0]');
    },
  },
  {
    id: 'chat.usage.numbers',
    title: 'no counter is NaN or negative, in no chunk',
    async run(stage) {
      const model = await stage.model();
      stage.answer(ANSWER);
      stage.answer(ANSWER);
      for (const { metadata } of [await model.call(ask()), ...(await streamed(model))]) {
        for (const [name, value] of Object.entries(counters(metadata.usage))) {
          check(Number.isInteger(value) && Number(value) >= 0, `usage.${name} must be a whole number, is ${value}`);
        }
      }
    },
  },
  {
    id: 'chat.abort.before',
    title: "a signal that has fired already gives 'aborted', from call and from stream",
    async run(stage) {
      const model = await stage.model();
      const context = { signal: AbortSignal.abort() };
      await rejectsWith(() => model.call(ask(), context), 'aborted', 'call');
      await rejectsWith(() => collect(model.stream(ask(), context)), 'aborted', 'stream');
    },
  },
  {
    id: 'chat.abort.timeout',
    title: "a signal that ran out of time gives 'timeout'",
    async run(stage) {
      const model = await stage.model();
      const context = { signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')) };
      await rejectsWith(() => model.call(ask(), context), 'timeout', 'call');
      await rejectsWith(() => collect(model.stream(ask(), context)), 'timeout', 'stream');
    },
  },
  {
    id: 'chat.abort.listeners',
    title: 'listeners on a long-lived signal do not pile up',
    async run(stage) {
      const model = await stage.model();
      const { signal, count } = countingSignal();
      const round = async (): Promise<void> => {
        stage.answer(ANSWER);
        await model.call(ask(), { signal });
        stage.answer(ANSWER);
        await collect(model.stream(ask(), { signal }));
      };
      await round();
      const first = count();
      for (let i = 0; i < 4; i++) await round();
      checkEqual(count(), first, 'listeners after five rounds, against one');
    },
  },
  {
    id: 'chat.errors.handled',
    title: 'calls that are aborted, left or failed leave no unhandled rejection',
    async run(stage) {
      const model = await stage.model();
      const unhandled = await unhandledRejections(async () => {
        const context = { signal: AbortSignal.abort() };
        await model.call(ask(), context).catch(() => undefined);
        await collect(model.stream(ask(), context)).catch(() => undefined);
        stage.answer(ANSWER);
        for await (const _ of model.stream(ask())) break;
      });
      checkEqual(unhandled.length, 0, 'unhandled rejections');
    },
  },
];

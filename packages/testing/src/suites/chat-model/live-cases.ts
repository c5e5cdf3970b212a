import { fold, Prompt, systemMessage, userMessage } from '@vernal/core';
import { check, checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { ModelStage } from './chat-stage.js';
import { argumentsValue, chunkText, collect, firstOf, weather } from './chat-views.js';

const ask = (): Prompt =>
  new Prompt([systemMessage('Answer with one word.'), userMessage('What is the capital of France?')]);

/** Few and cheap: against the real service. What it says is not checked word by word. */
export const liveCases: readonly SuiteCase<ChatModelCaseId, ModelStage>[] = [
  {
    id: 'chat.live.call',
    title: 'answers, and says why it stopped',
    async run(stage) {
      const { output, metadata } = firstOf(await (await stage.model()).call(ask()));
      check(output.text.trim() !== '', 'there must be text');
      checkEqual(metadata.finishReason, 'stop', 'finish reason');
    },
  },
  {
    id: 'chat.live.stream',
    title: 'streams, and the folded stream is an answer',
    async run(stage) {
      const chunks = await collect((await stage.model()).stream(ask()));
      const folded = await fold(chunks);
      checkEqual(firstOf(folded).output.text, chunkText(chunks), 'folded text');
      checkEqual(firstOf(folded).metadata.finishReason, 'stop', 'finish reason');
    },
  },
  {
    id: 'chat.live.usage',
    title: 'counts tokens where it says so',
    async run(stage) {
      const { usage } = (await (await stage.model()).call(ask())).metadata;
      if (usage.promptTokens === undefined) notDeclared('the service does not count');
      check(usage.promptTokens > 0 && (usage.totalTokens ?? 0) >= usage.promptTokens, 'counters must add up');
    },
  },
  {
    id: 'chat.live.length',
    title: 'stops at maxTokens and says so',
    async run(stage) {
      const model = await stage.model();
      if (model.capabilities.unsupportedOptions.includes('maxTokens')) notDeclared('maxTokens is not supported');
      const response = await model.call(new Prompt('Count from 1 to 500.', { maxTokens: 16 }));
      checkEqual(firstOf(response).metadata.finishReason, 'length', 'finish reason');
    },
  },
  {
    id: 'chat.live.tools',
    title: 'calls a tool that it is told to call',
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.tools) notDeclared('tools are not declared');
      const response = await model.call(new Prompt('Call the tool `weather`.', { tools: [weather] }));
      const [call] = firstOf(response).output.toolCalls;
      check(call !== undefined, 'there must be a tool call');
      checkEqual([call.name, typeof argumentsValue(call.arguments)], ['weather', 'object'], 'name and arguments');
    },
  },
  {
    id: 'chat.live.abort',
    title: 'an abort between chunks ends the stream',
    async run(stage) {
      const model = await stage.model();
      const controller = new AbortController();
      const read = async (): Promise<void> => {
        const prompt = new Prompt('Count from 1 to 500.');
        for await (const _ of model.stream(prompt, { signal: controller.signal })) controller.abort();
      };
      await rejectsWith(read, 'aborted', 'the stream');
    },
  },
];

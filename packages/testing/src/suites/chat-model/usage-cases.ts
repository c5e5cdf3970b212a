import type { Usage } from '@vernal/core';
import { fold, Prompt } from '@vernal/core';
import type { ScriptStep } from '../../doubles/script-step.js';
import { check, checkEqual } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { askBothWays, chunkText, collect, counters, firstOf } from './chat-views.js';

const ask = (): Prompt => new Prompt('Hello');

/** Does the wire say this number? What it says must be reported, what it does not must not be made up. */
function says(stage: WireStage, step: ScriptStep, number: number): boolean {
  const pattern = new RegExp(`(?<!\\d)${number}(?!\\d)`);
  return stage.wire.call([step]).parts.some((part) => pattern.test(String(part)));
}

/** Usage, finish reasons and reasoning. */
export const usageCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  {
    id: 'chat.usage.counts',
    title: 'prompt, completion and total are what the provider counted',
    async run(stage) {
      const usage = { promptTokens: 1201, completionTokens: 345, totalTokens: 1546 };
      for (const [face, response] of await askBothWays(stage, { text: 'x', usage }, ask())) {
        const { promptTokens, completionTokens, totalTokens } = response.metadata.usage;
        checkEqual({ promptTokens, completionTokens, totalTokens }, usage, `usage by ${face}`);
      }
    },
  },
  {
    id: 'chat.usage.cache',
    title: 'cached tokens are part of the prompt tokens, counted once',
    async run(stage) {
      const usage = { promptTokens: 2527, completionTokens: 47, cacheReadTokens: 2403, cacheWriteTokens: 101 };
      const step = { text: 'x', usage };
      for (const [face, { metadata }] of await askBothWays(stage, step, ask())) {
        checkEqual(metadata.usage.promptTokens, 2527, `promptTokens by ${face}`);
        checkEqual(metadata.usage.totalTokens, 2574, `totalTokens by ${face}`);
        const read = says(stage, step, 2403) ? 2403 : undefined;
        checkEqual(metadata.usage.cacheReadTokens, read, `cacheReadTokens by ${face}`);
        const written = says(stage, step, 101) ? 101 : undefined;
        checkEqual(metadata.usage.cacheWriteTokens, written, `cacheWriteTokens by ${face}`);
      }
    },
  },
  {
    id: 'chat.usage.reasoning',
    title: 'reasoning tokens are part of the completion tokens',
    async run(stage) {
      const step = { text: 'x', usage: { promptTokens: 5, completionTokens: 907, reasoningTokens: 883 } };
      for (const [face, { metadata }] of await askBothWays(stage, step, ask())) {
        checkEqual(metadata.usage.completionTokens, 907, `completionTokens by ${face}`);
        checkEqual(
          metadata.usage.reasoningTokens,
          says(stage, step, 883) ? 883 : undefined,
          `reasoningTokens by ${face}`,
        );
      }
    },
  },
  {
    id: 'chat.usage.unknown',
    title: 'what the provider did not count is absent, never 0',
    async run(stage) {
      if (stage.wire.call(['x']).parts.some((part) => /usage|_count"/.test(String(part)))) {
        notDeclared('this provider always counts');
      }
      for (const [face, response] of await askBothWays(stage, 'x', ask())) {
        checkEqual(counters(response.metadata.usage), {}, `usage by ${face}`);
      }
    },
  },
  {
    id: 'chat.usage.running-total',
    title: 'usage of a chunk is the running total of the call, so it never falls',
    async run(stage) {
      const model = await stage.model();
      stage.answer({ text: 'one two three', usage: { promptTokens: 11, completionTokens: 13, totalTokens: 24 } });
      const chunks = await collect(model.stream(ask()));
      const names = ['promptTokens', 'completionTokens', 'totalTokens'] as const satisfies readonly (keyof Usage)[];
      for (const name of names) {
        const values = chunks.flatMap((chunk) => chunk.metadata.usage[name] ?? []);
        checkEqual(
          values,
          values.toSorted((a, b) => a - b),
          `${name} of the chunks`,
        );
      }
      checkEqual((await fold(chunks)).metadata.usage.totalTokens, 24, 'totalTokens at the end');
    },
  },
  {
    id: 'chat.finish.mapping',
    title: "finish reasons are the portable ones, with the provider's own word beside",
    async run(stage) {
      const native = stage.wire.nativeFinishReason?.bind(stage.wire);
      if (native === undefined) notDeclared('the wire does not say its words');
      for (const finishReason of ['stop', 'length', 'content_filter'] as const) {
        const word = native(finishReason);
        if (word === undefined) continue;
        for (const [face, response] of await askBothWays(stage, { text: 'x', finishReason }, ask())) {
          const { metadata } = firstOf(response);
          checkEqual(metadata.finishReason, finishReason, `finish reason by ${face} for '${word}'`);
          checkEqual(metadata.nativeFinishReason, word, `native finish reason by ${face}`);
        }
      }
    },
  },
  {
    id: 'chat.reasoning.apart',
    title: 'reasoning is kept apart from the text',
    async run(stage) {
      const model = await stage.model();
      if (!model.capabilities.reasoning) notDeclared('reasoning is not declared');
      const step = { reasoning: 'First I think €.', text: 'Then I say.' };
      for (const [face, response] of await askBothWays(stage, step, ask())) {
        const { output } = firstOf(response);
        checkEqual(output.text, step.text, `text by ${face}`);
        checkEqual(output.reasoning.map((part) => part.text ?? '').join(''), step.reasoning, `reasoning by ${face}`);
      }
    },
  },
  {
    id: 'chat.reasoning.not-text',
    title: 'reasoning never gets into the text, declared or not',
    async run(stage) {
      const model = await stage.model();
      stage.answer({ reasoning: 'secret thought', text: 'public word' });
      checkEqual(chunkText(await collect(model.stream(ask()))), 'public word', 'text');
      check(stage.server.requests.length === 1, 'one request is enough');
    },
  },
];

import type { AnyAdvisor } from '@vernal/client-chat';
import type { ToolCallback } from '@vernal/core';
import { tool, VernalError } from '@vernal/core';
import type { ScriptStep } from '../../doubles/script-step.js';
import { check, checkEqual, rejection, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { Face } from './advisor-stage.js';
import { AdvisedClient, checkPairs, FACES, textOf } from './advisor-stage.js';

/** Stable: a report of today compares with one of last year. */
export type AdvisorCaseId = `advisor.${string}`;

/** Advisors may ask more than once: the same answer for each. */
const always = (step: ScriptStep): ScriptStep[] => Array.from({ length: 50 }, () => step);
const ANSWER = 'It rains in Delft.';

const LOOKING = 'Let me look. ';
type Cut = 'left' | 'aborted' | 'aborted in the tool';

interface ToolTurn {
  readonly client: AdvisedClient;
  readonly weather: ToolCallback;
  readonly runs: () => number;
  ask(face: Face): ReturnType<AdvisedClient['ask']>;
}

/** One tool call, then text, however often the model is asked. `onRun` is called when the tool runs. */
function toolTurn(advisor: AnyAdvisor, onRun: () => void = () => {}): ToolTurn {
  let runs = 0;
  const weather = tool({
    name: 'weather',
    description: 'The weather',
    execute: () => {
      runs++;
      onRun();
      return 'rain';
    },
  });
  const client = new AdvisedClient(
    advisor,
    always((prompt) =>
      prompt.messages.some((message) => message.type === 'tool')
        ? ANSWER
        : { text: LOOKING, toolCalls: [{ name: 'weather', arguments: {} }] },
    ),
  );
  return {
    client,
    weather,
    runs: () => runs,
    ask: (face) => client.ask(face, { conversation: `tools-${face}`, tools: [weather] }),
  };
}

/** Ends a tool turn early, asks again in the same conversation, and looks at every prompt. True when the turn had ended by itself. */
async function cutAndAsk(advisor: AnyAdvisor, how: Cut, after: number): Promise<boolean> {
  const controller = new AbortController();
  const { client, weather } = toolTurn(advisor, () => {
    if (how === 'aborted in the tool') controller.abort();
  });
  const options = { conversation: `${how}-${after}`, tools: [weather] };
  let ended = false;
  try {
    ended = await client.cut({ ...options, signal: controller.signal }, after, () => {
      if (how === 'left') return true;
      if (how === 'aborted') controller.abort();
      return false;
    });
  } catch (error) {
    if (!(VernalError.is(error) && error.code === 'aborted')) throw error;
  }
  await client.ask('call', options);
  for (const [index, { messages }] of client.model.prompts.entries()) {
    checkPairs(messages, `prompt ${index} of a turn ${how} after ${after} chunks`);
  }
  return ended;
}

export const advisorCases: readonly SuiteCase<AdvisorCaseId, AnyAdvisor>[] = [
  {
    id: 'advisor.plain',
    title: 'it has a name, an order, and at least one face',
    async run(advisor) {
      check(advisor.name.trim() !== '', 'name must not be blank');
      check(Number.isFinite(advisor.order), `order must be a number, is ${advisor.order}`);
      check('adviseCall' in advisor || 'adviseStream' in advisor, 'it must advise calls or streams');
    },
  },
  {
    id: 'advisor.call-equals-stream',
    title: 'call and folded stream give the same answer and the same turn, and ask the model as often',
    async run(advisor) {
      const results: unknown[] = [];
      for (const face of FACES) {
        const client = new AdvisedClient(
          advisor,
          always({ text: ANSWER, usage: { promptTokens: 3, completionTokens: 5 } }),
        );
        const response = await client.ask(face, { conversation: `same-${face}` });
        const sent = client.model.prompts.map((prompt) => prompt.messages.map(({ type }) => type));
        results.push({ text: textOf(response), turn: response.turn.map(({ type }) => type), sent });
      }
      checkEqual(results[1], results[0], 'what the stream gives, against the call');
    },
  },
  {
    id: 'advisor.question-arrives',
    title: "the user's text reaches the model, in both modes",
    async run(advisor) {
      for (const face of FACES) {
        const client = new AdvisedClient(advisor, always(ANSWER));
        await client.ask(face, { conversation: `arrives-${face}`, text: 'Tell me of puffins {please}' });
        const found = client.model.prompts.some((prompt) => prompt.contents.includes('Tell me of puffins {please}'));
        check(found, `the text must be in a prompt by ${face}`);
      }
    },
  },
  {
    id: 'advisor.tool-rounds',
    title: 'tools run once a call, and every call has its answer',
    async run(advisor) {
      for (const face of FACES) {
        const turn = toolTurn(advisor);
        const response = await turn.ask(face);
        checkEqual([textOf(response), turn.runs()], [LOOKING + ANSWER, 1], `answer and runs of the tool by ${face}`);
        for (const [index, prompt] of turn.client.model.prompts.entries()) {
          checkPairs(prompt.messages, `prompt ${index} by ${face}`);
        }
        checkPairs(response.turn, `the turn by ${face}`);
      }
    },
  },
  {
    id: 'advisor.cut',
    title:
      'no cut leaves a call without its answer: the turn may be left or aborted anywhere, and the conversation goes on',
    async run(advisor) {
      await cutAndAsk(advisor, 'aborted in the tool', Number.POSITIVE_INFINITY);
      for (const how of ['left', 'aborted'] as const) {
        for (let after = 0; after < 100 && !(await cutAndAsk(advisor, how, after)); after++);
      }
    },
  },
  {
    id: 'advisor.again',
    title: 'it serves one call after the other, in one conversation',
    async run(advisor) {
      for (const face of FACES) {
        const client = new AdvisedClient(advisor, always(ANSWER));
        for (const text of ['first', 'second', 'third']) {
          checkEqual(
            textOf(await client.ask(face, { conversation: `again-${face}`, text })),
            ANSWER,
            `answer to ${text} by ${face}`,
          );
        }
      }
    },
  },
  {
    id: 'advisor.concurrent',
    title: 'calls at the same time do not mix',
    async run(advisor) {
      const client = new AdvisedClient(
        advisor,
        always((prompt) => /name-\d/.exec(prompt.userMessage.text)?.[0] ?? '?'),
      );
      const names = Array.from({ length: 8 }, (_, index) => `name-${index}`);
      const texts = await Promise.all(
        names.map(async (text, index) =>
          textOf(await client.ask(index % 2 === 0 ? 'call' : 'stream', { conversation: `concurrent-${index}`, text })),
        ),
      );
      checkEqual(texts, names, 'answers');
    },
  },
  {
    id: 'advisor.error',
    title: 'an error of the model comes through, in both modes',
    async run(advisor) {
      const refused = new VernalError('The provider refused', { code: 'model_bad_request', subject: 'model' });
      for (const face of FACES) {
        const client = new AdvisedClient(advisor, always({ error: refused }));
        const error = await rejection(() => client.ask(face, { conversation: `error-${face}` }), face);
        check(
          error === refused || (error instanceof Error && error.cause === refused),
          `the error by ${face} must be the model's`,
        );
      }
    },
  },
  {
    id: 'advisor.abort',
    title: "a signal that has fired already gives 'aborted', and the model is not asked",
    async run(advisor) {
      for (const face of FACES) {
        const client = new AdvisedClient(advisor, always(ANSWER));
        const ask = (): Promise<unknown> =>
          client.ask(face, { conversation: `abort-${face}`, signal: AbortSignal.abort() });
        await rejectsWith(ask, 'aborted', face);
        checkEqual(client.model.prompts.length, 0, `prompts by ${face}`);
      }
    },
  },
  {
    id: 'advisor.left',
    title: 'a stream that is left early does no harm to the next call',
    async run(advisor) {
      const client = new AdvisedClient(advisor, always(ANSWER));
      await client.leave('left');
      checkEqual(textOf(await client.ask('call', { conversation: 'left' })), ANSWER, 'the next answer');
    },
  },
];

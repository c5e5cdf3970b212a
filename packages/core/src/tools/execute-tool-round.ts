import { ToolLimitError } from '../errors/tool-limit-error.js';
import type { Message, ToolResponse } from '../messages/message.js';
import { toolResponseMessage } from '../messages/message-factories.js';
import { CallScope } from './call-scope.js';
import type { ToolPlan } from './plan-tool-calls.js';
import { runToolCall } from './run-tool-call.js';
import { sendableMessage } from './sendable-calls.js';
import { cancelledAnswer } from './tool-answers.js';
import type { ToolExecutionResult } from './tool-calling-manager.js';
import { isChecked } from './tool-check.js';
import type { ToolRound, ToolStep } from './tool-round-state.js';

/** For every call that nothing can end: it has no state then. */
const ENDLESS = new CallScope(undefined);

type RunStep = Extract<ToolStep, { type: 'run' }>;

/** By position of the step; undefined for a deferred call. */
export type Answers = readonly (ToolResponse | undefined)[];

/** Writes a round that ran into the history. `before`: the messages in front of the assistant message. */
export function roundResult(
  round: ToolRound,
  { steps, breach }: ToolPlan,
  answers: Answers,
  before: readonly Message[],
): ToolExecutionResult {
  const responses = answers.every(isAnswer) ? answers : answers.filter(isAnswer);
  if (breach !== undefined) {
    const { toolName, limit, text } = breach;
    const details = { onExceeded: round.settings.limits.onExceeded };
    throw new ToolLimitError(text, { toolName, limit, partial: responses, subject: 'limits', details });
  }
  const called = sendable(round, steps, answers);
  const conversationHistory =
    responses.length === 0 ? [...before, called] : [...before, called, toolResponseMessage(responses)];
  if (responses.length < steps.length) {
    const pendingCalls = steps.filter((step) => step.type === 'defer').map(({ call }) => call);
    return { conversationHistory, returnDirect: false, pendingCalls };
  }
  const returnDirect = steps.every((step, index) => isDirect(step, answers[index]));
  return { conversationHistory, returnDirect };
}

function isAnswer(answer: ToolResponse | undefined): answer is ToolResponse {
  return answer !== undefined;
}

/** An error is never the answer: the model gets to see it and to mend the call. */
function isDirect(step: ToolStep, answer: ToolResponse | undefined): boolean {
  return step.type !== 'defer' && step.tool?.metadata.returnDirect === true && answer?.isError !== true;
}

function sendable(round: ToolRound, steps: readonly ToolStep[], answers: Answers): Message {
  const calls = steps.map(({ call }) => call);
  return sendableMessage(round.assistant, calls, (index) => isAccepted(steps[index], answers[index]));
}

/** True for arguments that are known to be a JSON object: only tools that check them can say so. */
function isAccepted(step: ToolStep | undefined, answer: ToolResponse | undefined): boolean {
  return step?.type === 'run' && answer?.isError !== true && isChecked(step.tool);
}

/** Runs what a plan says is to be run. */
export function runSteps(round: ToolRound, steps: readonly ToolStep[]): Promise<Answers> {
  const answers = steps.map(answerNow);
  const first = steps.findIndex(isRun);
  const only = steps[first];
  if (only?.type !== 'run') return Promise.resolve(answers);
  const open = steps.reduce((count, step) => (isRun(step) ? count + 1 : count), 0);
  if (open > 1) return runTogether(round, steps, open, answers);
  return runStep(round, only, round.context?.signal).then((answer) => {
    answers[first] = answer;
    return answers;
  });
}

function answerNow(step: ToolStep): ToolResponse | undefined {
  return step.type === 'answer' ? step.response : undefined;
}

function isRun(step: ToolStep): step is RunStep {
  return step.type === 'run';
}

/**
 * Several calls share a scope, so that one which ends the round ends the others too. Ends with all of them: on the first failure the
 * others are aborted, and nothing is left running that heeds its signal.
 */
async function runTogether(
  round: ToolRound,
  steps: readonly ToolStep[],
  open: number,
  answers: (ToolResponse | undefined)[],
): Promise<Answers> {
  const scope = new CallScope(round.context?.signal, { abortable: true });
  let failure: { readonly error: unknown } | undefined;
  let next = 0;
  const work = async (): Promise<void> => {
    try {
      while (next < steps.length) {
        const index = next++;
        const step = steps[index];
        if (step?.type === 'run') answers[index] = await runStep(round, step, scope);
      }
    } catch (error) {
      failure ??= { error };
      scope.abort(error);
    }
  };
  const workers: Promise<void>[] = [];
  while (workers.length < Math.min(round.settings.maxConcurrency, open)) workers.push(work());
  await Promise.all(workers);
  scope.close();
  if (failure !== undefined) throw failure.error;
  return answers;
}

function runStep(round: ToolRound, step: RunStep, around: AbortSignal | CallScope | undefined): Promise<ToolResponse> {
  const { call, tool } = step;
  const { timeoutMs } = round.settings;
  if (around?.aborted) return Promise.resolve(cancelledAnswer(call));
  if (timeoutMs === undefined) {
    if (around === undefined) return runToolCall(round, call, tool, ENDLESS);
    if (around instanceof CallScope) return runToolCall(round, call, tool, around);
  }
  return runWithin(round, step, new CallScope(around, { timeoutMs }));
}

async function runWithin(round: ToolRound, { call, tool }: RunStep, scope: CallScope): Promise<ToolResponse> {
  try {
    return await runToolCall(round, call, tool, scope);
  } finally {
    scope.close();
  }
}

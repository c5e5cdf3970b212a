import { ToolLimitError } from '../errors/tool-limit-error.js';
import type { Message, ToolResponse } from '../messages/message.js';
import { toolResponseMessage } from '../messages/message-factories.js';
import { type CallScope, openCallScope } from './call-scope.js';
import { findTool } from './find-tools.js';
import type { ToolPlan } from './plan-tool-calls.js';
import { runToolCall } from './run-tool-call.js';
import { sendableMessage } from './sendable-calls.js';
import { cancelledAnswer } from './tool-answers.js';
import type { ToolExecutionResult } from './tool-calling-manager.js';
import type { ToolRound, ToolStep } from './tool-round-state.js';

type RunStep = Extract<ToolStep, { type: 'run' }>;

/** Carries a plan out and writes the round into the history. `before`: the messages in front of the assistant message. */
export async function executeToolRound(
  round: ToolRound,
  { steps, breach }: ToolPlan,
  before: readonly Message[],
): Promise<ToolExecutionResult> {
  const answers = await runSteps(round, steps);
  const responses = steps.flatMap((step) => answers.get(step) ?? []);
  const { onExceeded } = round.settings.limits;
  if (breach !== undefined) {
    const { toolName, limit, text } = breach;
    throw new ToolLimitError(text, { toolName, limit, partial: responses, subject: 'limits', details: { onExceeded } });
  }
  const ran = new Set(
    steps.filter((step) => step.type !== 'answer' && answers.get(step)?.isError !== true).map(({ call }) => call),
  );
  const calls = steps.map(({ call }) => call);
  const assistant = sendableMessage(round.assistant, calls, (call) => ran.has(call));
  const pendingCalls = steps.filter((step) => step.type === 'defer').map(({ call }) => call);
  return {
    conversationHistory: [...before, assistant, ...(responses.length === 0 ? [] : [toolResponseMessage(responses)])],
    returnDirect: pendingCalls.length === 0 && (await isDirect(round, responses)),
    ...(pendingCalls.length === 0 ? undefined : { pendingCalls }),
  };
}

/** An error is never the answer: the model gets to see it and to mend the call. */
async function isDirect(round: ToolRound, responses: readonly ToolResponse[]): Promise<boolean> {
  if (responses.length === 0 || responses.some(({ isError }) => isError === true)) return false;
  for (const { name } of responses) {
    const tool = await findTool(round.settings, round.options, name);
    if (tool?.metadata.returnDirect !== true) return false;
  }
  return true;
}

async function runSteps(round: ToolRound, steps: readonly ToolStep[]): Promise<Map<ToolStep, ToolResponse>> {
  const answers = new Map<ToolStep, ToolResponse>();
  const open: RunStep[] = [];
  for (const step of steps) {
    if (step.type === 'answer') answers.set(step, step.response);
    else if (step.type === 'run') open.push(step);
  }
  const signal = round.context?.signal;
  // Several calls share a scope, so that one which ends the round ends the others too.
  const scope = open.length > 1 ? openCallScope(signal) : undefined;
  const work = async (): Promise<void> => {
    for (let step = open.shift(); step !== undefined; step = open.shift()) {
      const parent = scope?.signal ?? signal;
      answers.set(
        step,
        parent?.aborted ? cancelledAnswer(step.call) : await runToolCall(round, step.call, step.tool, parent),
      );
    }
  };
  try {
    await (scope === undefined
      ? work()
      : runWorkers(work, Math.min(round.settings.maxConcurrency, open.length), scope));
  } finally {
    scope?.close();
  }
  return answers;
}

/** Ends with all of them: on the first failure the others are aborted, and nothing is left running that heeds its signal. */
async function runWorkers(work: () => Promise<void>, count: number, scope: CallScope): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const guarded = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failure ??= { error };
      scope.abort(error);
    }
  };
  await Promise.all(Array.from({ length: count }, guarded));
  if (failure !== undefined) throw failure.error;
}

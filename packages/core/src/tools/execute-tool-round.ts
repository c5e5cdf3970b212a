import { ToolLimitError } from '../errors/tool-limit-error.js';
import type { Message, ToolResponse } from '../messages/message.js';
import { toolResponseMessage } from '../messages/message-factories.js';
import { CallScope } from './call-scope.js';
import { findTool } from './find-tools.js';
import type { ToolPlan } from './plan-tool-calls.js';
import { runToolCall } from './run-tool-call.js';
import { sendableMessage } from './sendable-calls.js';
import { cancelledAnswer } from './tool-answers.js';
import type { ToolExecutionResult } from './tool-calling-manager.js';
import { isChecked } from './tool-check.js';
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
  const accepted = new Set(steps.filter((step) => isAccepted(step, answers.get(step))).map(({ call }) => call));
  const calls = steps.map(({ call }) => call);
  const assistant = sendableMessage(round.assistant, calls, (call) => accepted.has(call));
  const pendingCalls = steps.filter((step) => step.type === 'defer').map(({ call }) => call);
  return {
    conversationHistory: [...before, assistant, ...(responses.length === 0 ? [] : [toolResponseMessage(responses)])],
    returnDirect: pendingCalls.length === 0 && (await isDirect(round, responses)),
    ...(pendingCalls.length === 0 ? undefined : { pendingCalls }),
  };
}

/** True for arguments that are known to be a JSON object: only tools that check them can say so. */
function isAccepted(step: ToolStep, response: ToolResponse | undefined): boolean {
  return step.type === 'run' && response?.isError !== true && isChecked(step.tool);
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
  const { timeoutMs, maxConcurrency } = round.settings;
  const signal = round.context?.signal;
  // Several calls share a scope, so that one which ends the round ends the others too.
  const shared = open.length > 1 ? new CallScope(signal) : undefined;
  const around = shared ?? signal;
  const work = async (): Promise<void> => {
    for (let step = open.shift(); step !== undefined; step = open.shift()) {
      const { call, tool } = step;
      answers.set(
        step,
        around?.aborted
          ? cancelledAnswer(call)
          : await runToolCall(round, call, tool, new CallScope(around, timeoutMs)),
      );
    }
  };
  try {
    await (shared === undefined ? work() : runWorkers(work, Math.min(maxConcurrency, open.length), shared));
  } finally {
    shared?.close();
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

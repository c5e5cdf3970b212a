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

type RunStep = Extract<ToolStep, { type: 'run' }>;

/** By position of the step; undefined for a deferred call. */
type Answers = (ToolResponse | undefined)[];

/** Carries a plan out and writes the round into the history. `before`: the messages in front of the assistant message. */
export async function executeToolRound(
  round: ToolRound,
  { steps, breach }: ToolPlan,
  before: readonly Message[],
): Promise<ToolExecutionResult> {
  const answers = await runSteps(round, steps);
  const responses = answers.filter((answer) => answer !== undefined);
  if (breach !== undefined) {
    const { toolName, limit, text } = breach;
    const details = { onExceeded: round.settings.limits.onExceeded };
    throw new ToolLimitError(text, { toolName, limit, partial: responses, subject: 'limits', details });
  }
  const conversationHistory: Message[] = [...before, sendable(round, steps, answers)];
  if (responses.length > 0) conversationHistory.push(toolResponseMessage(responses));
  if (responses.length < steps.length) {
    const pendingCalls = steps.filter((step) => step.type === 'defer').map(({ call }) => call);
    return { conversationHistory, returnDirect: false, pendingCalls };
  }
  const returnDirect = steps.every((step, index) => isDirect(step, answers[index]));
  return { conversationHistory, returnDirect };
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

async function runSteps(round: ToolRound, steps: readonly ToolStep[]): Promise<Answers> {
  const answers: Answers = steps.map((step) => (step.type === 'answer' ? step.response : undefined));
  const open = steps.reduce((count, step) => (step.type === 'run' ? count + 1 : count), 0);
  const { timeoutMs, maxConcurrency } = round.settings;
  const signal = round.context?.signal;
  // Several calls share a scope, so that one which ends the round ends the others too.
  const shared = open > 1 ? new CallScope(signal, { abortable: true }) : undefined;
  const around = shared ?? signal;
  const run = async ({ call, tool }: RunStep): Promise<ToolResponse> => {
    if (around?.aborted) return cancelledAnswer(call);
    if (shared !== undefined && timeoutMs === undefined) return runToolCall(round, call, tool, shared);
    const scope = new CallScope(around, { timeoutMs });
    try {
      return await runToolCall(round, call, tool, scope);
    } finally {
      scope.close();
    }
  };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < steps.length) {
      const index = next++;
      const step = steps[index];
      if (step?.type === 'run') answers[index] = await run(step);
    }
  };
  if (shared === undefined) await work();
  else await runWorkers(work, Math.min(maxConcurrency, open), shared).finally(() => shared.close());
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

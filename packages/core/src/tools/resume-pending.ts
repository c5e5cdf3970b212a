import type { CallContext } from '../context/call-context.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import type { AssistantMessage, Message, ToolResponse } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { ApprovalDecisions, PendingApproval } from './approval.js';
import { roundResult, runSteps } from './execute-tool-round.js';
import { findTool } from './find-tools.js';
import type { ManagerSettings } from './manager-settings.js';
import { openPendingApproval } from './pending-approval.js';
import { decidedStep, toolStep } from './plan-tool-calls.js';
import type { ToolExecutionResult } from './tool-calling-manager.js';
import type { ToolRound, ToolStep } from './tool-round-state.js';

/** Goes on with a round that waited: answers of before stay, decided calls are run or answered, the rest goes on waiting. */
export async function resumePending(
  settings: ManagerSettings,
  pending: PendingApproval,
  decisions: ApprovalDecisions,
  options: ChatOptions,
  context: CallContext | undefined,
): Promise<ToolExecutionResult> {
  const history = await openPendingApproval(settings, pending);
  const waiting = new Set(pending.calls.map(({ id }) => id));
  const stray = Object.keys(decisions).find((id) => !waiting.has(id));
  if (stray !== undefined)
    throw invalidArgument('decisions', `no call with id '${stray}' waits; waiting: ${[...waiting].join(', ')}`);
  const { before, assistant, answered } = splitHistory(history);
  const round: ToolRound = {
    settings,
    options,
    context,
    values: Object.freeze({ ...options.toolContext }),
    messages: [...before, assistant],
    assistant,
  };
  const steps: ToolStep[] = [];
  for (const call of assistant.toolCalls) {
    const response = answered.find(({ id }) => id === call.id);
    if (response !== undefined && !waiting.has(call.id)) {
      steps.push({ type: 'answer', call, response, tool: await findTool(settings, options, call.name) });
    } else {
      const decision = Object.hasOwn(decisions, call.id) ? decisions[call.id] : undefined;
      steps.push(await toolStep(round, call, (tool) => decidedStep(round, call, tool, decision ?? { type: 'defer' })));
    }
  }
  return roundResult(round, { steps }, await runSteps(round, steps), before);
}

interface WaitingHistory {
  readonly before: readonly Message[];
  readonly assistant: AssistantMessage;
  readonly answered: readonly ToolResponse[];
}

function splitHistory(history: readonly Message[]): WaitingHistory {
  const last = history.at(-1);
  const end = last?.type === 'tool' ? -2 : -1;
  const assistant = history.at(end);
  if (assistant?.type !== 'assistant')
    throw new VernalError('The pending approval holds no assistant message with calls', {
      code: 'approval_invalid',
      subject: 'pending',
    });
  return { before: history.slice(0, end), assistant, answered: last?.type === 'tool' ? last.responses : [] };
}

import { invalidArgument } from '../errors/invalid-argument.js';
import { ToolExecutionError } from '../errors/tool-execution-error.js';
import { VernalError } from '../errors/vernal-error.js';
import type { JsonValue } from '../json/json-value.js';
import type { ToolCall } from '../messages/message.js';
import type { ApprovalDecision, ApproveTool } from './approval.js';
import { CallScope } from './call-scope.js';
import { toToolExecutionError } from './execution-error.js';
import { findTool, offeredNames } from './find-tools.js';
import { parseToolArguments } from './parse-tool-arguments.js';
import { failedAnswer, toolContext } from './run-tool-call.js';
import { cancelledAnswer, deniedAnswer, errorAnswer, unknownToolText } from './tool-answers.js';
import type { ToolCallback } from './tool-callback.js';
import { checkToolArguments } from './tool-check.js';
import { type LimitBreach, ToolCallCount } from './tool-limits.js';
import { checkDistinctNames } from './tool-name.js';
import type { ToolRound, ToolStep } from './tool-round-state.js';

export interface ToolPlan {
  readonly steps: readonly ToolStep[];
  /** Set when the turn ends here: `steps` are the calls before the breach. */
  readonly breach?: LimitBreach | undefined;
}

/**
 * Decides what happens to each call of a round; nothing has run yet. People are asked one after another, in call order. At once where
 * nobody is asked.
 */
export function planToolCalls(round: ToolRound): ToolPlan | Promise<ToolPlan> {
  const { limits } = round.settings;
  checkDistinctNames(round.options.tools ?? []);
  const count = new ToolCallCount(round.messages, limits);
  let told: Map<ToolCall, LimitBreach> | undefined;
  let calls = round.assistant.toolCalls;
  let breach: LimitBreach | undefined;
  for (let i = 0; i < round.assistant.toolCalls.length; i++) {
    const call = round.assistant.toolCalls[i];
    breach = call === undefined ? undefined : count.add(call.name);
    if (call === undefined || breach === undefined) continue;
    if (limits.onExceeded !== 'answer' || count.told) {
      calls = calls.slice(0, i);
      break;
    }
    told ??= new Map();
    told.set(call, breach);
    breach = undefined;
  }
  const steps = planSteps(round, calls, told, []);
  return steps instanceof Promise ? steps.then((planned) => ({ steps: planned, breach })) : { steps, breach };
}

/** Goes on behind `steps`. */
function planSteps(
  round: ToolRound,
  calls: readonly ToolCall[],
  told: ReadonlyMap<ToolCall, LimitBreach> | undefined,
  steps: ToolStep[],
): readonly ToolStep[] | Promise<readonly ToolStep[]> {
  for (let i = steps.length; i < calls.length; i++) {
    const call = calls[i];
    if (call === undefined) continue;
    const over = told?.get(call);
    const step = over === undefined ? planCall(round, call) : answerStep(call, over.text);
    if (step instanceof Promise) return step.then((first) => planSteps(round, calls, told, [...steps, first]));
    // Most rounds have one call, and a list that grows is made for many.
    if (calls.length === 1) return [step];
    steps.push(step);
  }
  return steps;
}

/** What a decision makes of a call. */
export function decidedStep(
  round: ToolRound,
  call: ToolCall,
  tool: ToolCallback,
  decision: ApprovalDecision,
): ToolStep {
  switch (decision.type) {
    case 'approve':
      return {
        type: 'run',
        tool,
        call: decision.arguments === undefined ? call : { ...call, arguments: decision.arguments },
      };
    case 'deny':
      return { type: 'answer', call, response: deniedAnswer(call, decision.reason) };
    case 'defer':
      if (round.settings.approvalKey === undefined)
        throw invalidArgument('approvalKey', 'a call can only be deferred by a manager that has a key to sign it with');
      return { type: 'defer', call };
    default:
      throw invalidArgument('approve', "must decide on 'approve', 'deny' or 'defer'");
  }
}

/** The tool of a call; without one the answer for the model, or `tool_not_found` by `throwOnError`. At once where it can be. */
export function toolStep(
  round: ToolRound,
  call: ToolCall,
  plan: (tool: ToolCallback) => ToolStep | Promise<ToolStep>,
): ToolStep | Promise<ToolStep> {
  const tool = findTool(round.settings, round.options, call.name);
  if (tool instanceof Promise) return tool.then((found) => (found === undefined ? notFound(round, call) : plan(found)));
  return tool === undefined ? notFound(round, call) : plan(tool);
}

function notFound({ settings, options }: ToolRound, call: ToolCall): ToolStep {
  const text = unknownToolText(call.name, offeredNames(options));
  settings.logger.warn('The model called a tool that it was not offered', { tool: call.name, toolCallId: call.id });
  if (settings.throwOnError) throw new VernalError(text, { code: 'tool_not_found', subject: call.name });
  return answerStep(call, text);
}

function planCall(round: ToolRound, call: ToolCall): ToolStep | Promise<ToolStep> {
  const { approve } = round.settings;
  return toolStep(round, call, (tool) =>
    approve === undefined ? { type: 'run', call, tool } : askForApproval(round, call, tool, approve),
  );
}

async function askForApproval(
  round: ToolRound,
  call: ToolCall,
  tool: ToolCallback,
  approve: ApproveTool,
): Promise<ToolStep> {
  const scope = new CallScope(round.context?.signal);
  try {
    const input = await scope.race(checkedInput(call, tool));
    if (ToolExecutionError.is(input))
      return { type: 'answer', call, response: await failedAnswer(round.settings, call, input) };
    const context = { ...toolContext(round, call, scope, undefined), definition: tool.definition, input };
    const ask = async (): Promise<ApprovalDecision> => approve(call, context);
    return decidedStep(round, call, tool, await scope.race(ask()));
  } catch (error) {
    if (scope.aborted) return { type: 'answer', call, response: cancelledAnswer(call) };
    throw error;
  } finally {
    scope.close();
  }
}

async function checkedInput(call: ToolCall, tool: ToolCallback): Promise<JsonValue | ToolExecutionError> {
  try {
    const input = parseToolArguments(call.arguments, call.name, call.id);
    await checkToolArguments(tool, call.arguments, call.id);
    return input;
  } catch (error) {
    return toToolExecutionError(error, call.name, call.id);
  }
}

function answerStep(call: ToolCall, text: string): ToolStep {
  return { type: 'answer', call, response: errorAnswer(call, text) };
}

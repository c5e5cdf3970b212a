import { abortError } from '../context/abort-error.js';
import { neverAborted } from '../context/never-aborted.js';
import { safeCause } from '../errors/safe-cause.js';
import type { ToolExecutionError } from '../errors/tool-execution-error.js';
import type { ToolCall, ToolResponse } from '../messages/message.js';
import type { ToolObservationData } from '../observation/observation-data.js';
import { type SafeObservation, startSafely } from '../observation/safe-observation.js';
import type { CallScope } from './call-scope.js';
import { toolTimeoutError, toToolExecutionError } from './execution-error.js';
import type { ManagerSettings } from './manager-settings.js';
import { answerOf, cancelledAnswer, errorAnswer } from './tool-answers.js';
import type { ToolCallback, ToolContext } from './tool-callback.js';
import type { ToolRound } from './tool-round-state.js';

/** Runs one call and answers it. Rejects only with what has to reach the caller: fatal errors, and all of them by `throwOnError`. */
export async function runToolCall(
  round: ToolRound,
  call: ToolCall,
  tool: ToolCallback,
  scope: CallScope,
): Promise<ToolResponse> {
  const { settings } = round;
  const observation = settings.registry.enabled ? observe(round, call, tool) : undefined;
  try {
    const running = start(round, call, tool, scope, observation);
    // A tool written by hand may answer at once.
    const answer = answerOf(call, await (scope.endless ? running : scope.race(Promise.resolve(running))));
    if (settings.registry.content) observation?.add({ result: answer.result });
    return answer;
  } catch (thrown) {
    if (scope.aborted && !scope.timedOut) {
      observation?.error(abortError(scope.newSignal()));
      return cancelledAnswer(call);
    }
    const error = scope.timedOut
      ? toolTimeoutError(call.name, call.id, settings.timeoutMs ?? 0)
      : toToolExecutionError(thrown, call.name, call.id);
    observation?.error(error);
    return await failedAnswer(settings, call, error);
  } finally {
    observation?.stop();
  }
}

/** What the model reads of a failure, or the failure itself for the caller. */
export async function failedAnswer(
  settings: ManagerSettings,
  call: ToolCall,
  error: ToolExecutionError,
): Promise<ToolResponse> {
  // Where it was thrown, and not its words.
  const cause = safeCause(error.cause);
  settings.logger.warn('A tool call failed', { tool: call.name, toolCallId: call.id, code: error.code, cause });
  if (error.fatal || settings.throwOnError) throw error;
  return errorAnswer(call, await settings.exceptionProcessor(error));
}

export function toolContext(
  round: ToolRound,
  call: ToolCall,
  scope: CallScope,
  observation: SafeObservation | undefined,
): ToolContext {
  const { values, messages } = round;
  const toolCallId = call.id;
  const parent = observation === undefined ? round.context?.observation : observation.observation;
  const context = scope.endless
    ? { values, toolCallId, messages, observation: parent, signal: neverAborted() }
    : withOwnSignal({ values, toolCallId, messages, observation: parent }, scope);
  if (observation === undefined) return context;
  return Object.assign(context, { progress: (update: object) => observation.event('progress', { ...update }) });
}

/** A signal costs more than the rest of a call: one is made only for a call that can be aborted and looks. */
function withOwnSignal(
  { values, toolCallId, messages, observation }: Omit<ToolContext, 'signal'>,
  scope: CallScope,
): ToolContext {
  let own: AbortSignal | undefined;
  return {
    values,
    toolCallId,
    messages,
    observation,
    get signal() {
      own ??= scope.newSignal();
      return own;
    },
  };
}

function start(
  round: ToolRound,
  call: ToolCall,
  tool: ToolCallback,
  scope: CallScope,
  observation: SafeObservation | undefined,
): ReturnType<ToolCallback['call']> {
  const text = call.arguments.trim() === '' ? '{}' : call.arguments;
  const context = toolContext(round, call, scope, observation);
  return observation === undefined ? tool.call(text, context) : observation.run(() => tool.call(text, context));
}

function observe(round: ToolRound, call: ToolCall, tool: ToolCallback): SafeObservation {
  const { registry } = round.settings;
  const data: ToolObservationData = {
    description: tool.definition.description,
    toolCallId: call.id,
    type: 'function',
    ...(registry.content ? { arguments: call.arguments } : undefined),
  };
  const parent = round.context?.observation;
  return startSafely(registry, () => ({ kind: 'tool', name: call.name, parent, data: { ...data } }));
}

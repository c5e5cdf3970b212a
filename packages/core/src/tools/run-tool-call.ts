import { abortError } from '../context/abort-error.js';
import { neverAborted } from '../context/never-aborted.js';
import type { ToolExecutionError } from '../errors/tool-execution-error.js';
import type { ToolCall, ToolResponse } from '../messages/message.js';
import type { Observation } from '../observation/observation.js';
import type { ToolObservationData } from '../observation/observation-data.js';
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
    const answer = answerOf(call, await scope.race(start(round, call, tool, scope, observation)));
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
  settings.logger.warn('A tool call failed', { tool: call.name, toolCallId: call.id, code: error.code });
  if (error.fatal || settings.throwOnError) throw error;
  return errorAnswer(call, await settings.exceptionProcessor(error));
}

export function toolContext(
  round: ToolRound,
  call: ToolCall,
  scope: CallScope,
  observation: Observation | undefined,
): ToolContext {
  const { values, messages } = round;
  // A signal costs more than the rest of a call: one is made only for a call that can be aborted and looks.
  let own: AbortSignal | undefined;
  const signal = scope.endless
    ? { signal: neverAborted() }
    : {
        get signal(): AbortSignal {
          own ??= scope.newSignal();
          return own;
        },
      };
  const given = { values, toolCallId: call.id, messages };
  if (observation === undefined) return Object.assign(signal, given, { observation: round.context?.observation });
  const progress = (update: object): void => observation.event('progress', { ...update });
  return Object.assign(signal, given, { observation, progress });
}

/** Async, so that a tool that throws at once rejects like any other. */
async function start(
  round: ToolRound,
  call: ToolCall,
  tool: ToolCallback,
  scope: CallScope,
  observation: Observation | undefined,
): ReturnType<ToolCallback['call']> {
  const text = call.arguments.trim() === '' ? '{}' : call.arguments;
  const context = toolContext(round, call, scope, observation);
  return observation === undefined ? tool.call(text, context) : observation.run(() => tool.call(text, context));
}

function observe(round: ToolRound, call: ToolCall, tool: ToolCallback): Observation {
  const { registry } = round.settings;
  const data: ToolObservationData = {
    description: tool.definition.description,
    toolCallId: call.id,
    type: 'function',
    ...(registry.content ? { arguments: call.arguments } : undefined),
  };
  return registry.start({ kind: 'tool', name: call.name, parent: round.context?.observation, data: { ...data } });
}

import { ToolExecutionError } from '../errors/tool-execution-error.js';
import { VernalError } from '../errors/vernal-error.js';

/**
 * What a tool threw, as an error whose message may be shown to a model. Only messages of `VernalError`s are: any other may quote
 * a path, an address or a password, and stays in `cause` for the caller, the observation and the exception processor.
 */
export function toToolExecutionError(thrown: unknown, toolName: string, toolCallId: string): ToolExecutionError {
  if (ToolExecutionError.is(thrown)) return thrown;
  const kind = thrown instanceof Error && thrown.name !== '' ? ` (${thrown.name})` : '';
  return VernalError.is(thrown)
    ? new ToolExecutionError(`Tool '${toolName}' failed: ${thrown.message}`, {
        toolName,
        toolCallId,
        retryable: thrown.retryable,
        cause: thrown,
      })
    : new ToolExecutionError(`Tool '${toolName}' failed${kind}`, { toolName, toolCallId, cause: thrown });
}

export function toolTimeoutError(toolName: string, toolCallId: string, timeoutMs: number): ToolExecutionError {
  return new ToolExecutionError(`Tool '${toolName}' took longer than ${timeoutMs} ms`, {
    code: 'timeout',
    toolName,
    toolCallId,
    retryable: true,
    details: { timeoutMs },
  });
}

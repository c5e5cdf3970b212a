import { ToolExecutionError } from '../errors/tool-execution-error.js';
import type { JsonValue } from '../json/json-value.js';
import { inexactNumbers } from '../output/exact-numbers.js';
import { jsonFault } from '../output/json-fault.js';
import type { SchemaIssue } from '../schema/standard-schema.js';

const MAX_ISSUES = 20;
const MAX_ISSUE_LENGTH = 300;

/**
 * The JSON value of a call's arguments. Blank text and null stand for no arguments: both are seen from providers. Text that is not
 * JSON is never mended, and a number that reading would change (a 64-bit id) is never passed on changed: both are a
 * `ToolExecutionError` that says where, for the model to write the call again.
 */
export function parseToolArguments(text: string, toolName: string, toolCallId: string): JsonValue {
  if (text === '' || text.trim() === '') return {};
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused(`are not valid JSON: ${jsonFault(text)}`, toolName, toolCallId);
  }
  const issues = inexactNumbers(text);
  if (issues.length > 0) {
    throw refused(`hold a number that cannot be kept: ${issuesText(issues)}`, toolName, toolCallId);
  }
  return value ?? {};
}

function refused(fault: string, toolName: string, toolCallId: string): ToolExecutionError {
  return new ToolExecutionError(`The arguments of tool '${toolName}' ${fault}`, {
    toolName,
    toolCallId,
    subject: 'arguments',
  });
}

/** Path and message of each issue, as far as a model will read. */
export function issuesText(issues: readonly SchemaIssue[]): string {
  const shown = issues.slice(0, MAX_ISSUES).map(issueText).join('; ');
  return issues.length > MAX_ISSUES ? `${shown}; and ${issues.length - MAX_ISSUES} more` : shown;
}

function issueText({ message, path }: SchemaIssue): string {
  let place = '';
  for (const part of path ?? []) {
    const key = typeof part === 'object' ? part.key : part;
    place += typeof key === 'number' ? `[${key}]` : `${place === '' ? '' : '.'}${String(key)}`;
  }
  return `${place === '' ? 'arguments' : place}: ${message}`.slice(0, MAX_ISSUE_LENGTH);
}

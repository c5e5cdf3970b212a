import { StructuredOutputError } from '../errors/structured-output-error.js';
import type { SchemaIssue } from '../schema/standard-schema.js';
import { inexactNumbers } from './exact-numbers.js';
import { jsonFault } from './json-fault.js';
import { clean, defaultCleaners, type TextCleaner } from './text-cleaner.js';

/** The JSON value in a model's answer. Throws `StructuredOutputError` for what is no JSON and for numbers that reading would change. */
export function parseJson(rawText: string, cleaners: readonly TextCleaner[] = defaultCleaners): unknown {
  // The default cleaners leave JSON as it is, and most answers are; cleaners of one's own may do anything.
  const direct = cleaners === defaultCleaners ? parsed(rawText) : undefined;
  const cleaned = direct === undefined ? clean(rawText, cleaners) : rawText;
  const json = direct ?? parsed(cleaned);
  if (json === undefined) throw unreadable(rawText, cleaned);
  const issues = inexactNumbers(cleaned);
  if (issues.length > 0) throw misfit(rawText, issues);
  return json.value;
}

/** An answer that is JSON and does not fit. */
export function misfit(rawText: string, issues: readonly SchemaIssue[]): StructuredOutputError {
  const path = issues[0]?.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  const place = path === undefined || path === '' ? 'as a whole' : `first at ${path}`;
  return new StructuredOutputError(
    `The answer does not fit what was asked for (${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}, ${place}); see 'issues', and show them to the model for another try`,
    { subject: path === undefined || path === '' ? 'text' : path, rawText, issues },
  );
}

/** The parser's own error quotes the text, so it goes no further. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function unreadable(rawText: string, cleaned: string): StructuredOutputError {
  const message = jsonFault(cleaned);
  return new StructuredOutputError(`The answer is not JSON: ${message}`, {
    subject: 'text',
    rawText,
    issues: [{ message: `Not JSON: ${message}` }],
  });
}

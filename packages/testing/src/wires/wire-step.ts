import { VernalError } from '@vernal/core';
import type { ScriptAnswer, ScriptStep } from '../doubles/script-step.js';

/** The answer of a step that goes over a wire. */
export function wireStep(step: ScriptStep): ScriptAnswer {
  if (typeof step === 'string') return { text: step };
  if (typeof step === 'function') {
    throw new VernalError('A wire is given answers, not functions of the prompt: spell the answer out', {
      code: 'invalid_argument',
      subject: 'steps',
    });
  }
  if (step.error !== undefined) {
    throw new VernalError("A wire cannot send an Error: use its `error(kind)`, or the mock server's `end`", {
      code: 'invalid_argument',
      subject: 'steps',
    });
  }
  return step;
}

/**
 * The only step, spelled out, for providers that give one answer a request. `provider` names it in errors.
 * Throws `invalid_argument` for none, for several, and for a step that is a function or has an `error`.
 *
 * @example
 * onlyStep(['Hello'], 'Example').text; // 'Hello'
 */
export function onlyStep(steps: readonly ScriptStep[], provider: string): ScriptAnswer {
  const [first] = steps;
  if (first === undefined || steps.length > 1) {
    throw new VernalError(`${provider} gives one answer a request, and ${steps.length} steps were given: give it one`, {
      code: 'invalid_argument',
      subject: 'steps',
    });
  }
  return wireStep(first);
}

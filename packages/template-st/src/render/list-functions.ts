import type { FunctionName } from '../language/syntax-tree.js';
import { elementsOf } from './template-values.js';

/** Told when a value is not what the function takes. */
type Complain = (problem: string) => void;

/** Calls a function of the language. Lists are never changed; null in, null out, but for the lengths. */
export function callFunction(name: FunctionName, value: unknown, complain: Complain): unknown {
  if (name === 'trim' || name === 'strlen') return callTextFunction(name, value, complain);
  if (value === null || value === undefined) return name === 'length' ? 0 : null;
  const list = elementsOf(value);
  if (list === undefined) return callWithOne(name, value);
  switch (name) {
    case 'first':
      return list[0] ?? null;
    case 'last':
      return list.at(-1) ?? null;
    case 'rest':
      return list.length > 1 ? list.slice(1) : null;
    case 'trunc':
      return list.length > 1 ? list.slice(0, -1) : null;
    case 'strip':
      return list.filter((element) => element !== null && element !== undefined);
    case 'reverse':
      return [...list].reverse();
    case 'length':
      return list.length;
  }
}

/** A single value is a list of one that is not written as one. */
function callWithOne(name: Exclude<FunctionName, 'trim' | 'strlen'>, value: unknown): unknown {
  if (name === 'length') return 1;
  return name === 'rest' || name === 'trunc' ? null : value;
}

function callTextFunction(name: 'trim' | 'strlen', value: unknown, complain: Complain): unknown {
  if (typeof value === 'string') return name === 'trim' ? value.trim() : value.length;
  complain(`${name} takes text`);
  return name === 'trim' ? value : 0;
}

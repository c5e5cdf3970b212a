import type { SchemaIssue } from '../schema/standard-schema.js';

/** Which members and items of one value some keyword has looked at: what `unevaluatedProperties` and `unevaluatedItems` ask. */
export interface Evaluated {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** One validation under way. */
export interface Run {
  issues: SchemaIssue[];
  /** How far the issues are from a fit; picks the alternative that was meant. */
  cost: number;
  readonly path: (string | number)[];
  /** Set only below a schema that asks for it. */
  evaluated: Evaluated | undefined;
  /** Checks that are inside each other now, and those of them at the same value. */
  depth: number;
  inPlace: number;
  /** Where the check gave up. An ordinary issue would not do: under `not` it would make the value fit. */
  givenUp: SchemaIssue | undefined;
  /** How much work is left. */
  steps: number;
  /** A pattern was passed over: what fits here might not. */
  doubtful: boolean;
}

/** A compiled schema or keyword: reports to `run` what does not fit. */
export type Check = (value: unknown, run: Run) => void;

const MAX_ISSUES = 100;

/** A wrong type or constant says "another alternative was meant" more loudly than a missing member. */
export const WRONG_KIND = 10;

export function newRun(steps: number): Run {
  return {
    issues: [],
    cost: 0,
    path: [],
    evaluated: undefined,
    depth: 0,
    inPlace: 0,
    givenUp: undefined,
    steps,
    doubtful: false,
  };
}

/** Takes work from what is left; false when there is none, and the check gives up. */
export function spend(run: Run, steps: number): boolean {
  run.steps -= steps;
  if (run.steps < 0) run.givenUp ??= { message: 'takes too many steps to be checked', path: [...run.path] };
  return run.givenUp === undefined;
}

/** Adds an issue at the present place, or at its member `key`. Messages never hold the value. */
export function report(run: Run, message: string, key?: string, cost = 1): void {
  run.cost += cost;
  if (run.issues.length >= MAX_ISSUES) return;
  run.issues.push({ message, path: key === undefined ? [...run.path] : [...run.path, key] });
}

/** Adds issues that were found on trial, as many as there is room for. */
export function addIssues(run: Run, issues: readonly SchemaIssue[]): void {
  run.issues.push(...issues.slice(0, Math.max(0, MAX_ISSUES - run.issues.length)));
}

/** Checks a member or item of the present value. */
export function descend(check: Check, value: unknown, key: string | number, run: Run): void {
  const { evaluated, inPlace } = run;
  run.evaluated = undefined;
  run.inPlace = 0;
  run.path.push(key);
  check(value, run);
  run.path.pop();
  run.evaluated = evaluated;
  run.inPlace = inPlace;
}

export interface Attempt {
  readonly issues: readonly SchemaIssue[];
  readonly cost: number;
  readonly doubtful: boolean;
}

/** Checks the present value on trial: issues are handed back, and what was looked at counts only if it fits. */
export function attempt(check: Check, value: unknown, run: Run): Attempt {
  const { issues, cost, evaluated, doubtful } = run;
  run.issues = [];
  run.cost = 0;
  run.doubtful = false;
  run.evaluated = evaluated && newEvaluated();
  check(value, run);
  const result: Attempt = { issues: run.issues, cost: run.cost, doubtful: run.doubtful };
  if (run.evaluated && evaluated && result.issues.length === 0) addEvaluated(evaluated, run.evaluated);
  run.issues = issues;
  run.cost = cost;
  run.doubtful ||= doubtful;
  run.evaluated = evaluated;
  return result;
}

export function newEvaluated(): Evaluated {
  return { keys: new Set(), items: new Set() };
}

export function addEvaluated(to: Evaluated, from: Evaluated): void {
  for (const key of from.keys) to.keys.add(key);
  for (const item of from.items) to.items.add(item);
}

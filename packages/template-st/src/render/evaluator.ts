import type { Expression, MapExpression, MapTarget, Member, Template, UnknownCall } from '../language/syntax-tree.js';
import { callFunction } from './list-functions.js';
import { innerScope, LazyTemplate, type Scope } from './scope.js';
import { elementsOf, isTrue, propertyOf } from './template-values.js';

/** What evaluation needs from the outside. */
export interface EvaluatorContext {
  /** Told of what StringTemplate calls run-time problems: they cost their own value only. */
  readonly report: (problem: string, at: number) => void;
  /** The text of a value, as it would be written at a place of its own. */
  readonly toText: (value: unknown, at: number) => string;
}

/** The value of an expression: anything that variables may hold, or a `LazyTemplate`. */
export function evaluate(node: Expression, scope: Scope, context: EvaluatorContext): unknown {
  const given = (part: Expression): unknown => evaluate(part, scope, context);
  switch (node.kind) {
    case 'variable':
      return scope.get(node.name);
    case 'text':
      return node.text;
    case 'boolean':
      return node.value;
    case 'list':
      return node.items.flatMap((item) => {
        const value = item === undefined ? null : given(item);
        return elementsOf(value) ?? [value];
      });
    case 'template':
      return lazy(
        node.template,
        scope,
        node.template.parameters.map(() => null),
      );
    case 'property':
      return node.keys.reduce((value, key) => property(value, key, scope, context), given(node.of));
    case 'call':
      return callFunction(node.name, given(node.argument), (problem) => context.report(problem, node.at));
    case 'unknown':
      return unknown(node.call, context);
    case 'rendered':
      return context.toText(given(node.expression), node.at);
    case 'map':
      return mapped(node, scope, context);
    case 'not':
      return !isTrue(given(node.of));
    case 'and':
      return node.of.every((part) => isTrue(given(part)));
    case 'or':
      return node.of.some((part) => isTrue(given(part)));
  }
}

function unknown({ name, at }: UnknownCall, context: EvaluatorContext): null {
  context.report(`there is no function ${name}`, at);
  return null;
}

function property(value: unknown, { key, at }: Member, scope: Scope, context: EvaluatorContext): unknown {
  let wanted: unknown = key;
  if (typeof key !== 'string') {
    wanted = evaluate(key, scope, context);
    if (wanted instanceof LazyTemplate) wanted = context.toText(wanted, at);
  }
  const found = propertyOf(value, wanted);
  if (found === undefined) context.report(`there is no property ${typeof key === 'string' ? key : 'of this name'}`, at);
  return found ?? null;
}

function mapped({ lists, stages }: MapExpression, scope: Scope, context: EvaluatorContext): unknown {
  const values = lists.map((list) => evaluate(list, scope, context));
  if (values.length === 1) return stages.reduce((value, stage) => oneByOne(value, stage, scope, context), values[0]);
  const [[first] = [], ...rest] = stages;
  if (first === undefined) return null;
  return rest.reduce(
    (value, stage) => oneByOne(value, stage, scope, context),
    inParallel(values, first, scope, context),
  );
}

/** Each element through a template; several templates take turns. Elements that are null stay null and are not counted. */
function oneByOne(value: unknown, stage: readonly MapTarget[], scope: Scope, context: EvaluatorContext): unknown {
  if (value === null || value === undefined) return null;
  let count = 0;
  const apply = (element: unknown): unknown => {
    if (element === null || element === undefined) return null;
    const index = count++;
    const target = stage[index % stage.length];
    if (target === undefined) return null;
    return 'elements' in target ? lazy(target, scope, [element], index) : unknown(target, context);
  };
  return elementsOf(value)?.map(apply) ?? apply(value);
}

/** As many rounds as the longest list has elements. */
function inParallel(values: readonly unknown[], target: MapTarget, scope: Scope, context: EvaluatorContext): unknown {
  if (!('elements' in target)) return unknown(target, context);
  const columns = values.map((value) => (value === null || value === undefined ? [] : (elementsOf(value) ?? [value])));
  const rounds = columns.reduce((most, column) => Math.max(most, column.length), 0);
  return Array.from({ length: rounds }, (_, index) =>
    lazy(
      target,
      scope,
      columns.map((column) => column[index] ?? null),
      index,
    ),
  );
}

/** `index` is that of a loop. A name that the template declares hides the number of the round. */
function lazy(template: Template, scope: Scope, given: readonly unknown[], index?: number): LazyTemplate {
  const names = new Map<string, unknown>();
  if (index !== undefined) names.set('i', index + 1).set('i0', index);
  for (const [position, name] of template.parameters.entries()) names.set(name, given[position] ?? null);
  return new LazyTemplate(template, names.size === 0 ? scope : innerScope(names, scope));
}

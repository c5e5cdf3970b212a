import { type Element, type Expression, LOOP_NAMES, type Template, type UnknownCall } from './syntax-tree.js';

/** A name in a template, where it stands first. */
export interface Occurrence {
  readonly name: string;
  readonly at: number;
}

/** What a template asks of the outside; each name once, in order of appearance. */
export interface Needs {
  /** Variables that no loop gives. */
  readonly variables: readonly Occurrence[];
  /** Calls of functions that do not exist. */
  readonly unknownFunctions: readonly Occurrence[];
}

interface Need extends Occurrence {
  readonly kind: 'variable' | 'function';
}

/** Names that are given where a part of the template stands. */
type Bound = readonly string[];

/** Follows the scopes of the syntax tree, so that only what really comes from outside is named. */
export function needsOf(template: Template): Needs {
  const needs = [...ofElements(template.elements, [])];
  return { variables: firstOf(needs, 'variable'), unknownFunctions: firstOf(needs, 'function') };
}

function firstOf(needs: readonly Need[], kind: Need['kind']): Occurrence[] {
  const first = new Map<string, Occurrence>();
  for (const need of needs) {
    if (need.kind === kind && !first.has(need.name)) first.set(need.name, { name: need.name, at: need.at });
  }
  return [...first.values()];
}

function* ofElements(elements: readonly Element[], bound: Bound): Generator<Need> {
  for (const element of elements) {
    if (element.kind === 'indented') yield* ofElements([element.element], bound);
    if (element.kind === 'placeholder') {
      yield* ofExpression(element.expression, bound);
      yield* ofAll(Object.values(element.options ?? {}), bound);
    }
    if (element.kind === 'if') {
      for (const { condition, body } of element.branches) {
        yield* ofExpression(condition, bound);
        yield* ofElements(body, bound);
      }
      yield* ofElements(element.otherwise ?? [], bound);
    }
  }
}

function* ofAll(expressions: readonly (Expression | undefined)[], bound: Bound): Generator<Need> {
  for (const expression of expressions) if (expression !== undefined) yield* ofExpression(expression, bound);
}

function* ofExpression(node: Expression, bound: Bound): Generator<Need> {
  switch (node.kind) {
    case 'variable':
      if (!bound.includes(node.name)) yield { kind: 'variable', name: node.name, at: node.at };
      break;
    case 'list':
      yield* ofAll(node.items, bound);
      break;
    case 'template':
      yield* ofElements(node.template.elements, [...bound, ...node.template.parameters]);
      break;
    case 'property':
      yield* ofExpression(node.of, bound);
      for (const { key } of node.keys) if (typeof key !== 'string') yield* ofExpression(key, bound);
      break;
    case 'call':
      yield* ofExpression(node.argument, bound);
      break;
    case 'unknown':
      yield* ofUnknown(node.call, bound);
      break;
    case 'rendered':
      yield* ofExpression(node.expression, bound);
      break;
    case 'map':
      yield* ofAll(node.lists, bound);
      for (const target of node.stages.flat()) {
        if ('elements' in target) yield* ofElements(target.elements, [...bound, ...LOOP_NAMES, ...target.parameters]);
        else yield* ofUnknown(target, bound);
      }
      break;
    case 'not':
      yield* ofExpression(node.of, bound);
      break;
    case 'and':
    case 'or':
      yield* ofAll(node.of, bound);
      break;
    case 'text':
    case 'boolean':
  }
}

function* ofUnknown(call: UnknownCall, bound: Bound): Generator<Need> {
  yield { kind: 'function', name: call.name, at: call.at };
  yield* ofAll(call.arguments, bound);
}

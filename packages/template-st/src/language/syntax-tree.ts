/** A template, or the body of an anonymous one between braces. */
export interface Template {
  /** Names before the bar of `{x, y | …}`. */
  readonly parameters: readonly string[];
  readonly elements: readonly Element[];
}

export type Element =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'newline'; readonly text: string }
  /** White space at the start of a line, and what it indents. */
  | { readonly kind: 'indented'; readonly indent: string; readonly element: Element }
  | PlaceholderElement
  | IfElement;

/** `{expression; options}`. */
export interface PlaceholderElement {
  readonly kind: 'placeholder';
  readonly expression: Expression;
  readonly options: Options | undefined;
  readonly at: number;
}

export interface IfElement {
  readonly kind: 'if';
  /** Indents the text of the branches; '' when they bring their own. */
  readonly indent: string;
  readonly branches: readonly { readonly condition: Expression; readonly body: readonly Element[] }[];
  readonly otherwise: readonly Element[] | undefined;
}

/** What may follow the semicolon of a placeholder. */
export const OPTION_NAMES = ['anchor', 'format', 'null', 'separator', 'wrap'] as const;
export type OptionName = (typeof OPTION_NAMES)[number];
export type Options = { readonly [name in OptionName]?: Expression };

export type Expression =
  | { readonly kind: 'variable'; readonly name: string; readonly at: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly (Expression | undefined)[] }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'property'; readonly of: Expression; readonly keys: readonly Member[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly argument: Expression; readonly at: number }
  | { readonly kind: 'unknown'; readonly call: UnknownCall }
  /** `(expression)`: its text. */
  | { readonly kind: 'rendered'; readonly expression: Expression; readonly at: number }
  | MapExpression
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[] };

/** A name after a dot, or an expression in parentheses that gives it. */
export interface Member {
  readonly key: string | Expression;
  readonly at: number;
}

/** `{list:{x | …}}`; several lists go in parallel through the first template. */
export interface MapExpression {
  readonly kind: 'map';
  readonly lists: readonly Expression[];
  /** What each result goes through next; several templates of a stage take turns. */
  readonly stages: readonly (readonly MapTarget[])[];
}

export type MapTarget = Template | UnknownCall;

/** `name(…)` where there is no such function; it would be a template of a group, and there are no groups. */
export interface UnknownCall {
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly at: number;
}

export const FUNCTION_NAMES = [
  'first',
  'last',
  'rest',
  'trunc',
  'strip',
  'trim',
  'length',
  'strlen',
  'reverse',
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** Given to each round of a loop: its number from 1 and from 0, of the elements that are not null. */
export const LOOP_NAMES: readonly string[] = ['i', 'i0'];

import type {
  Element,
  Expression,
  IfElement,
  OptionName,
  PlaceholderElement,
  Template,
} from '../language/syntax-tree.js';
import { type EvaluatorContext, evaluate } from './evaluator.js';
import { IndentingWriter } from './indenting-writer.js';
import { LazyTemplate, type Scope } from './scope.js';
import { elementsOf, isTrue, textOf } from './template-values.js';

/** Lists in lists deeper than this are taken for a list that holds itself. More than templates can be nested. */
const MAX_DEPTH = 300;

/** What the last step of a template was; it decides whether a line end belongs to an empty line or to a tag. */
type Step = 'begin' | 'newline' | 'indent' | 'other';

type OptionTexts = { readonly [name in OptionName]?: string | undefined };

/** What happens to what cannot be rendered. */
export interface InterpreterEvents {
  /** A problem that costs its own value only. */
  readonly report: (problem: string, at: number) => void;
  /** A value without text. */
  readonly refuse: (problem: string, at: number) => never;
}

/** Renders one template once. */
export class Interpreter {
  readonly #events: InterpreterEvents;
  readonly #context: EvaluatorContext;
  #writer = new IndentingWriter();
  /** More than 0 when something was written since the last line end of the template. */
  #writtenOnLine = 0;
  /** Characters of line ends of the template, which do not count as something written. */
  #lineEnds = 0;
  #depth = 0;

  constructor(events: InterpreterEvents) {
    this.#events = events;
    this.#context = { report: events.report, toText: (value, at) => this.#toText(value, at) };
  }

  render(template: Template, scope: Scope): string {
    this.#run(template.elements, scope, 'begin');
    return this.#writer.text;
  }

  #run(elements: readonly Element[], scope: Scope, begin: Step): Step {
    let step = begin;
    for (const element of elements) step = this.#step(element, scope, step);
    return step;
  }

  #step(element: Element, scope: Scope, before: Step): Step {
    switch (element.kind) {
      case 'text':
        if (element.text === '') return before;
        this.#counted(() => this.#writer.write(element.text));
        return 'other';
      case 'newline':
        // A line that held nothing but tags without text leaves no empty line; one that was empty in the template does.
        if (before !== 'other' || this.#writtenOnLine > 0) {
          this.#writer.write(element.text);
          this.#lineEnds += element.text.length;
        }
        this.#writtenOnLine = 0;
        return 'newline';
      case 'indented':
        this.#writer.pushIndent(element.indent);
        this.#step(element.element, scope, 'indent');
        this.#writer.popIndent();
        return 'other';
      case 'placeholder':
        this.#counted(() => this.#placeholder(element, scope));
        return 'other';
      case 'if':
        return this.#if(element, scope);
    }
  }

  #if({ indent, branches, otherwise }: IfElement, scope: Scope): Step {
    const taken = branches.find(({ condition }) => isTrue(this.#value(condition, scope)));
    const body = taken?.body ?? otherwise ?? [];
    if (indent !== '') this.#writer.pushIndent(indent);
    const last = this.#run(body, scope, 'other');
    if (indent !== '') this.#writer.popIndent();
    const isLast =
      body === otherwise || (otherwise === undefined && (taken === undefined || taken === branches.at(-1)));
    return indent === '' && isLast ? last : 'other';
  }

  #placeholder({ expression, options, at }: PlaceholderElement, scope: Scope): void {
    const value = this.#value(expression, scope);
    const texts: { [name in OptionName]?: string | undefined } = {};
    for (const [name, option] of Object.entries(options ?? {}) as [OptionName, Expression][]) {
      const given = this.#value(option, scope);
      texts[name] = given === null || given === undefined ? undefined : this.#toText(given, at);
    }
    if (texts.anchor !== undefined) this.#writer.pushAnchor();
    this.#write(value, texts, at);
    if (texts.anchor !== undefined) this.#writer.popAnchor();
  }

  #value(expression: Expression, scope: Scope): unknown {
    return evaluate(expression, scope, this.#context);
  }

  #write(value: unknown, options: OptionTexts, at: number): void {
    if (this.#depth >= MAX_DEPTH)
      this.#events.refuse(`lists are nested more than ${MAX_DEPTH} deep, or hold themselves`, at);
    this.#depth += 1;
    if (value instanceof LazyTemplate) this.#run(value.template.elements, value.scope, 'other');
    else if (value === null || value === undefined) {
      if (options.null !== undefined) this.#writer.write(options.null);
    } else {
      const elements = elementsOf(value);
      if (elements === undefined) this.#writer.write(textOf(value) ?? this.#refuse(value, at));
      else this.#writeList(elements, options, at);
    }
    this.#depth -= 1;
  }

  /** A separator comes before every element but null ones, once one wrote something. */
  #writeList(elements: readonly unknown[], options: OptionTexts, at: number): void {
    let someWritten = false;
    for (const element of elements) {
      const isShown = (element !== null && element !== undefined) || options.null !== undefined;
      if (someWritten && isShown && options.separator !== undefined) this.#writer.write(options.separator);
      const before = this.#written;
      this.#write(element, options, at);
      if (this.#written > before) someWritten = true;
    }
  }

  #refuse(value: unknown, at: number): never {
    const kind = typeof value === 'object' ? 'an invalid Date' : `a ${typeof value}`;
    return this.#events.refuse(`a value is ${kind}, which has no text; give text, a number, a list or an object`, at);
  }

  #counted(write: () => void): void {
    const before = this.#written;
    write();
    this.#writtenOnLine += this.#written - before;
  }

  get #written(): number {
    return this.#writer.length - this.#lineEnds;
  }

  /** Off the page: neither its indentation nor its lines count. */
  #toText(value: unknown, at: number): string {
    const writer = this.#writer;
    const written = this.#writtenOnLine;
    const lineEnds = this.#lineEnds;
    this.#writer = new IndentingWriter();
    this.#write(value, {}, at);
    const { text } = this.#writer;
    this.#writer = writer;
    this.#writtenOnLine = written;
    this.#lineEnds = lineEnds;
    return text;
  }
}

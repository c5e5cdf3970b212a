import type { Scanner } from './scanner.js';
import {
  type Expression,
  FUNCTION_NAMES,
  type FunctionName,
  type MapTarget,
  type Member,
  OPTION_NAMES,
  type OptionName,
  type Options,
  type Template,
  type UnknownCall,
} from './syntax-tree.js';
import { readTextLiteral } from './text-literal.js';

/** Words that are no variables. */
export const KEYWORDS: readonly string[] = ['if', 'elseif', 'else', 'endif', 'super'];
/** What an option means that is named without a value. */
const OPTION_DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['anchor', 'true'],
  ['wrap', '\n'],
]);

/** Reads what stands between delimiters. White space may stand between any two parts. */
export class ExpressionParser {
  readonly #scanner: Scanner;
  /** Reads the template after an opening brace, and the closing one. */
  readonly #anonymous: () => Template;

  constructor(scanner: Scanner, anonymous: () => Template) {
    this.#scanner = scanner;
    this.#anonymous = anonymous;
  }

  /** One or more values, and what is done with each: `a, b:{x, y | …}`. */
  mapped(): Expression {
    return this.#scanner.nested(() => {
      const lists = [this.#member()];
      while (this.#symbol(',')) lists.push(this.#member());
      const stages: MapTarget[][] = [];
      if (lists.length > 1) {
        if (!this.#symbol(':'))
          this.#scanner.fail('expected a colon and the template that takes these lists in parallel');
        stages.push([this.#target(lists.length)]);
      }
      while (this.#symbol(':')) {
        const stage = [this.#target(1)];
        while (this.#symbol(',')) stage.push(this.#target(1));
        stages.push(stage);
      }
      const [only] = lists;
      return only !== undefined && stages.length === 0 ? only : { kind: 'map', lists, stages };
    });
  }

  /** `name="value", name={template}, …`. */
  options(): Options {
    const options: { [name in OptionName]?: Expression } = {};
    do {
      this.#scanner.skipSpace();
      const { at } = this.#scanner;
      const given = this.#scanner.takeName();
      const name = OPTION_NAMES.find((option) => option === given);
      if (name === undefined) this.#scanner.fail(`expected one of the options ${OPTION_NAMES.join(', ')}`, at);
      const standard = OPTION_DEFAULTS.get(name);
      if (this.#symbol('=')) options[name] = this.#mappedOnce();
      else if (standard !== undefined) options[name] = { kind: 'text', text: standard };
      else this.#scanner.fail(`expected = and the value of ${name}`);
    } while (this.#symbol(','));
    return options;
  }

  /** What an `if` asks. */
  condition(): Expression {
    return this.#scanner.nested(() => {
      return this.#joined('or', '||', () => this.#joined('and', '&&', () => this.#negation()));
    });
  }

  #joined(kind: 'and' | 'or', symbol: string, read: () => Expression): Expression {
    const first = read();
    const of = [first];
    while (this.#symbol(symbol)) of.push(read());
    return of.length === 1 ? first : { kind, of };
  }

  #negation(): Expression {
    if (this.#symbol('!')) return { kind: 'not', of: this.#scanner.nested(() => this.#negation()) };
    return this.#member(true);
  }

  /** A value with at most one template: elements of lists and options, where a comma goes on to the next. */
  #mappedOnce(): Expression {
    return this.#scanner.nested(() => {
      const list = this.#member();
      return this.#symbol(':') ? { kind: 'map', lists: [list], stages: [[this.#target(1)]] } : list;
    });
  }

  /** `value.name.(key)`. */
  #member(inCondition = false): Expression {
    const of = this.#primary(inCondition);
    const keys: Member[] = [];
    while (this.#symbol('.')) {
      this.#scanner.skipSpace();
      const { at } = this.#scanner;
      if (this.#symbol('(')) {
        keys.push({ key: this.mapped(), at });
        this.#close(')');
      } else {
        const key = this.#scanner.takeName();
        if (key === '') this.#scanner.fail('expected the name of a property');
        keys.push({ key, at });
      }
    }
    return keys.length === 0 ? of : { kind: 'property', of, keys };
  }

  #primary(inCondition: boolean): Expression {
    const scanner = this.#scanner;
    scanner.skipSpace();
    const { at } = scanner;
    const name = scanner.takeName();
    if (name !== '') return this.#named(name, at);
    if (scanner.take('"')) return { kind: 'text', text: readTextLiteral(scanner) };
    if (scanner.take('{')) return { kind: 'template', template: scanner.nested(this.#anonymous) };
    if (scanner.take('[')) return { kind: 'list', items: this.#items() };
    if (scanner.take('(')) {
      const inner = inCondition ? this.condition() : this.mapped();
      this.#close(')');
      return inCondition ? inner : { kind: 'rendered', expression: inner, at };
    }
    return scanner.fail("expected a name, '\"', '{', '[' or '('");
  }

  #named(name: string, at: number): Expression {
    if (name === 'true' || name === 'false') return { kind: 'boolean', value: name === 'true' };
    if (KEYWORDS.includes(name)) this.#scanner.fail(`${name} is a word of the language and cannot stand here`, at);
    if (!this.#symbol('(')) return { kind: 'variable', name, at };
    const known = FUNCTION_NAMES.find((one): one is FunctionName => one === name);
    if (known === undefined) return { kind: 'unknown', call: this.#unknown(name, at) };
    const argument = this.mapped();
    this.#close(')');
    return { kind: 'call', name: known, argument, at };
  }

  /** After `name(`. */
  #unknown(name: string, at: number): UnknownCall {
    const given: Expression[] = [];
    if (!this.#symbol(')')) {
      do given.push(this.#argument());
      while (this.#symbol(','));
      this.#close(')');
    }
    return { name, arguments: given, at };
  }

  /** `value` or `name = value`. */
  #argument(): Expression {
    const scanner = this.#scanner;
    scanner.skipSpace();
    const { at } = scanner;
    if (scanner.takeName() === '' || !this.#symbol('=')) scanner.at = at;
    return this.#mappedOnce();
  }

  /** After a colon. */
  #target(lists: number): MapTarget {
    const scanner = this.#scanner;
    scanner.skipSpace();
    const { at } = scanner;
    if (scanner.take('{')) {
      const template = scanner.nested(this.#anonymous);
      if (template.parameters.length !== lists) {
        scanner.fail(
          `the template needs a name for the elements of each list before a bar, here ${lists}, as in {x | …}`,
          at,
        );
      }
      return template;
    }
    const name = scanner.takeName();
    if (name === '' || !this.#symbol('(')) scanner.fail('expected a template, as in {x | …}', at);
    return this.#unknown(name, at);
  }

  /** After an opening bracket. */
  #items(): (Expression | undefined)[] {
    const items: (Expression | undefined)[] = [];
    if (this.#symbol(']')) return items;
    do {
      this.#scanner.skipSpace();
      const isEmpty = this.#scanner.looksAt(',') || this.#scanner.looksAt(']');
      items.push(isEmpty ? undefined : this.#mappedOnce());
    } while (this.#symbol(','));
    this.#close(']');
    return items;
  }

  #symbol(symbol: string): boolean {
    this.#scanner.skipSpace();
    return this.#scanner.take(symbol);
  }

  #close(symbol: string): void {
    this.#scanner.skipSpace();
    this.#scanner.expect(symbol, `'${symbol}'`);
  }
}

import { ExpressionParser, KEYWORDS } from './expression-parser.js';
import { type Delimiters, Scanner } from './scanner.js';
import type { Element, Expression, IfElement, Template } from './syntax-tree.js';

/** Where a run of elements stands, and so what ends it. */
type Place = 'template' | 'anonymous' | 'branch' | 'anonymous branch';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  [' ', ' '],
]);

/** Throws `TemplateError` with the place of the fault. */
export function parseTemplate(text: string, delimiters: Delimiters): Template {
  return new TemplateParser(new Scanner(text, delimiters)).whole();
}

class TemplateParser {
  readonly #scanner: Scanner;
  readonly #expressions: ExpressionParser;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.#expressions = new ExpressionParser(scanner, () => this.#anonymous());
  }

  whole(): Template {
    return { parameters: [], elements: this.#elements('template') };
  }

  /** After an opening brace. */
  #anonymous(): Template {
    const scanner = this.#scanner;
    const opened = scanner.at - 1;
    const parameters = this.#parameters();
    const elements = this.#elements('anonymous');
    if (!scanner.take('}')) scanner.fail("the template that begins here does not end: '}' is missing", opened);
    return { parameters, elements };
  }

  /** `x, y |` and one white space after it, if they are there. */
  #parameters(): string[] {
    const scanner = this.#scanner;
    const from = scanner.at;
    const names: string[] = [];
    do {
      scanner.skipSpace();
      const { at } = scanner;
      const name = scanner.takeName();
      if (name !== '' && names.includes(name)) scanner.fail(`the name ${name} is there twice`, at);
      names.push(name);
      scanner.skipSpace();
    } while (scanner.take(','));
    if (names.includes('') || !scanner.take('|')) {
      scanner.at = from;
      return [];
    }
    if (scanner.takeNewline() === '' && !scanner.take(' ')) scanner.take('\t');
    return names;
  }

  /** Up to what ends the place, which is left for the caller. */
  #elements(place: Place): Element[] {
    const scanner = this.#scanner;
    const elements: Element[] = [];
    while (!scanner.atEnd) {
      const from = scanner.at;
      const isLineStart = scanner.atLineStart;
      const indent = isLineStart ? scanner.takeIndent() : '';
      if (isLineStart && this.#commentLine()) continue;
      if (this.#ends(place)) break;
      if (scanner.atEnd) elements.push({ kind: 'text', text: indent });
      else elements.push(this.#element(place, indent, from));
    }
    return elements;
  }

  #ends(place: Place): boolean {
    const scanner = this.#scanner;
    if (place.startsWith('anonymous') && scanner.looksAt('}')) return true;
    const keyword = this.#keyword();
    if (keyword === '' || keyword === 'if' || keyword === 'super') return false;
    return place.endsWith('branch') || scanner.fail(`${keyword} without an if before it`);
  }

  /** The word of the language with which a tag begins that stands here; '' if none does. */
  #keyword(): string {
    const scanner = this.#scanner;
    const from = scanner.at;
    if (!scanner.take(scanner.delimiters.start)) return '';
    scanner.skipSpace();
    const name = scanner.takeName();
    scanner.at = from;
    return KEYWORDS.includes(name) ? name : '';
  }

  #element(place: Place, indent: string, from: number): Element {
    const scanner = this.#scanner;
    if (this.#keyword() === 'if') return scanner.nested(() => this.#if(place, indent, from));
    const element = this.#single(place);
    return indent === '' ? element : { kind: 'indented', indent, element };
  }

  #single(place: Place): Element {
    const scanner = this.#scanner;
    const { at } = scanner;
    const newline = scanner.takeNewline();
    if (newline !== '') return { kind: 'newline', text: newline };
    if (this.#comment()) return { kind: 'text', text: '' };
    if (!scanner.take(scanner.delimiters.start)) return { kind: 'text', text: this.#text(place) };
    if (scanner.take('\\')) return { kind: 'text', text: this.#escape() };
    const outer = scanner.opened;
    scanner.opened = at;
    const expression = this.#expressions.mapped();
    scanner.skipSpace();
    const options = scanner.take(';') ? this.#expressions.options() : undefined;
    this.#endTag('of the placeholder');
    scanner.opened = outer;
    return { kind: 'placeholder', expression, options, at };
  }

  /** Literal text: up to a delimiter, the end of the line, or the brace that ends an anonymous template. */
  #text(place: Place): string {
    const scanner = this.#scanner;
    const { start } = scanner.delimiters;
    let text = '';
    while (!scanner.atEnd) {
      const character = scanner.text.charAt(scanner.at);
      if (scanner.take('\\\\')) text += '\\';
      else if (scanner.take(`\\${start}`)) text += start;
      else if (scanner.take('\\}')) text += '}';
      else if (scanner.looksAt(start) || character === '\n' || character === '\r') break;
      else if (character === '}' && place.startsWith('anonymous')) break;
      else {
        text += character;
        scanner.at += 1;
      }
    }
    return text;
  }

  /** `{! … !}` that has its line to itself; the line goes with it. */
  #commentLine(): boolean {
    const scanner = this.#scanner;
    const from = scanner.at;
    if (this.#comment() && scanner.takeNewline() !== '') return true;
    scanner.at = from;
    return false;
  }

  #comment(): boolean {
    const scanner = this.#scanner;
    const { start, end } = scanner.delimiters;
    if (!scanner.looksAt(`${start}!`)) return false;
    const closed = scanner.text.indexOf(`!${end}`, scanner.at + start.length + 1);
    if (closed < 0) scanner.fail(`the comment does not end: !${end} is missing`);
    scanner.at = closed + 1 + end.length;
    return true;
  }

  /** After the delimiter and a backslash. */
  #escape(): string {
    const scanner = this.#scanner;
    const { at } = scanner;
    if (scanner.take('\\')) return this.#joinLines();
    if (scanner.take('u')) {
      const digits = scanner.text.slice(scanner.at, scanner.at + 4);
      if (!/^[\da-f]{4}$/i.test(digits)) scanner.fail('expected four hexadecimal digits');
      scanner.at += 4;
      this.#endTag('of the escape');
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const text = ESCAPES.get(scanner.text.charAt(scanner.at));
    if (text === undefined)
      return scanner.fail('expected one of the escapes \\n, \\r, \\t, \\u0000, \\\\ or a blank', at);
    scanner.at += 1;
    this.#endTag('of the escape');
    return text;
  }

  /** A backslash twice: the end of this line and the white space of the next are left out. */
  #joinLines(): string {
    const scanner = this.#scanner;
    this.#endTag('of the escape');
    scanner.takeIndent();
    if (scanner.takeNewline() === '') scanner.fail('expected the end of the line, which this escape leaves out');
    scanner.takeIndent();
    return '';
  }

  #if(place: Place, indent: string, from: number): IfElement {
    const scanner = this.#scanner;
    const opened = scanner.at;
    const inner: Place = place.startsWith('anonymous') ? 'anonymous branch' : 'branch';
    const branches: { readonly condition: Expression; readonly body: Element[] }[] = [];
    let isIndented = false;
    let keyword = 'if';
    let otherwise: Element[] | undefined;
    for (; keyword !== 'endif'; keyword = this.#keyword()) {
      this.#openTag(keyword);
      if (keyword === 'else') {
        this.#endTag('of else');
        otherwise = this.#elements(inner);
        if (this.#keyword() !== 'endif') scanner.fail('expected endif after else');
      } else {
        const condition = this.#condition();
        if (keyword === 'if') isIndented = !/^[\r\n]/.test(scanner.text.slice(scanner.at, scanner.at + 1));
        branches.push({ condition, body: this.#elements(inner) });
      }
      if (this.#keyword() === '') scanner.fail('the if that begins here does not end: endif is missing', opened);
    }
    this.#openTag(keyword);
    this.#endTag('of endif');
    if (/[\r\n]/.test(scanner.text.slice(from, scanner.at))) scanner.takeNewline();
    return { kind: 'if', indent: isIndented ? indent : '', branches, otherwise };
  }

  #condition(): Expression {
    const scanner = this.#scanner;
    scanner.skipSpace();
    scanner.expect('(', "'(' and a condition");
    const condition = this.#expressions.condition();
    scanner.skipSpace();
    scanner.expect(')', "')' after the condition");
    this.#endTag('after the condition');
    return condition;
  }

  #openTag(keyword: string): void {
    const scanner = this.#scanner;
    scanner.take(scanner.delimiters.start);
    scanner.skipSpace();
    scanner.take(keyword);
  }

  #endTag(what: string): void {
    const scanner = this.#scanner;
    const { end } = scanner.delimiters;
    scanner.skipSpace();
    scanner.expect(end, `${end}, the end ${what}`);
  }
}

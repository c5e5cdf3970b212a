// The filter language by hand: one pass over the text, recursive descent, frozen trees, places in errors. Kept here only, to measure against.
const SPACE = /[ \t\r\n]*/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}_\p{M}\p{Nd}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}_\p{M}\p{Nd}]*)*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|\d+[lL]/y;
const STRING = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y;
const SYMBOL = /==|!=|>=|<=|&&|\|\||[><()[\],+-]/y;
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'IN', 'NIN', 'IS', 'NULL', 'TRUE', 'FALSE']);
const COMPARISONS = { '==': 'EQ', '!=': 'NE', '>': 'GT', '>=': 'GTE', '<': 'LT', '<=': 'LTE' };
const ESCAPES = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"', '/': '/' };
const DEEPEST = 100;

class HandFilterParser {
  #text;
  #at = 0;
  #depth = 0;
  /** Of the token that is looked at: 'name', 'number', 'string', 'end', a symbol, or a keyword in capitals. */
  #kind;
  #token;
  #start;

  constructor(text) {
    this.#text = text;
    this.#next();
  }

  parse() {
    const node = this.#or();
    if (this.#kind !== 'end') this.#fail('AND, OR or the end');
    return node.group ?? node;
  }

  #or() {
    let left = this.#and();
    while (this.#take('OR') || this.#take('||')) left = Object.freeze({ type: 'OR', left, right: this.#and() });
    return left;
  }

  #and() {
    let left = this.#not();
    while (this.#take('AND') || this.#take('&&')) left = Object.freeze({ type: 'AND', left, right: this.#not() });
    return left;
  }

  #not() {
    if (this.#take('NOT')) return this.#deeper(() => Object.freeze({ type: 'NOT', left: this.#not() }));
    if (!this.#take('(')) return this.#test();
    return this.#deeper(() => {
      const node = this.#or();
      this.#expect(')');
      return Object.freeze({ group: node.group ?? node });
    });
  }

  #deeper(read) {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.#fail('less nesting');
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #test() {
    const left = Object.freeze({ key: this.#key() });
    const comparison = COMPARISONS[this.#kind];
    if (comparison !== undefined) {
      this.#next();
      const value = this.#value();
      if (comparison !== 'EQ' && comparison !== 'NE' && typeof value !== 'number' && typeof value !== 'string')
        this.#fail('a number or a text');
      return Object.freeze({ type: comparison, left, right: Object.freeze({ value }) });
    }
    if (this.#take('IS')) {
      const type = this.#take('NOT') ? 'ISNOTNULL' : 'ISNULL';
      this.#expect('NULL');
      return Object.freeze({ type, left });
    }
    const type = this.#take('NIN') ? 'NIN' : this.#take('NOT') ? 'NIN' : 'IN';
    if (type === 'IN' || this.#kind === 'IN') this.#expect('IN');
    return Object.freeze({ type, left, right: Object.freeze({ value: Object.freeze(this.#list()) }) });
  }

  #key() {
    const token = this.#token;
    if (this.#kind === 'name') {
      this.#next();
      return token;
    }
    if (this.#kind !== 'string') this.#fail('a key');
    this.#next();
    return this.#unquoted(token);
  }

  #list() {
    const values = [];
    this.#expect('[');
    if (this.#take(']')) return values;
    do {
      const value = this.#value();
      if (value === null) this.#fail('no null');
      values.push(value);
    } while (this.#take(','));
    this.#expect(']');
    return values;
  }

  #value() {
    const token = this.#token;
    switch (this.#kind) {
      case 'string':
        this.#next();
        return this.#unquoted(token);
      case 'TRUE':
      case 'FALSE':
        this.#next();
        return token.length === 4;
      case 'NULL':
        this.#next();
        return null;
      default: {
        const negative = this.#take('-');
        if (!negative) this.#take('+');
        return this.#number(negative);
      }
    }
  }

  #number(negative) {
    if (this.#kind !== 'number') this.#fail('a value');
    const digits = /[lL]$/.test(this.#token) ? this.#token.slice(0, -1) : this.#token;
    const value = Number(digits);
    if (!Number.isFinite(value) || (/^\d+$/.test(digits) && !Number.isSafeInteger(value)))
      this.#fail('an exact number');
    this.#next();
    return negative && value !== 0 ? -value : value;
  }

  #unquoted(token) {
    const inner = token.slice(1, -1);
    if (!inner.includes('\\')) return inner;
    return inner.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/gu, (_match, hex, single) => {
      const character = hex === undefined ? ESCAPES[single] : String.fromCharCode(Number.parseInt(hex, 16));
      return character ?? this.#fail('an escape');
    });
  }

  #take(kind) {
    if (this.#kind !== kind) return false;
    this.#next();
    return true;
  }

  #expect(kind) {
    if (!this.#take(kind)) this.#fail(kind);
  }

  #next() {
    this.#match(SPACE);
    this.#start = this.#at;
    if (this.#at === this.#text.length) {
      this.#kind = 'end';
      return;
    }
    if (this.#match(NAME)) {
      const upper = this.#token.length < 6 ? this.#token.toUpperCase() : '';
      this.#kind = KEYWORDS.has(upper) ? upper : 'name';
    } else if (this.#match(STRING)) this.#kind = 'string';
    else if (this.#match(NUMBER)) {
      this.#kind = 'number';
      if (/[lL]/.test(this.#text[this.#at] ?? '') && /^\d+$/.test(this.#token)) {
        this.#at += 1;
        this.#token += 'L';
      }
    } else if (this.#match(SYMBOL)) this.#kind = this.#token;
    else this.#fail('something with a meaning');
  }

  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#token = found[0];
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(expected) {
    const before = this.#text.slice(0, this.#start).split('\n');
    const column = Array.from(before.at(-1)).length + 1;
    throw new SyntaxError(`expected ${expected} (line ${before.length}, column ${column})`);
  }
}

export const handParse = (text) => new HandFilterParser(text).parse();

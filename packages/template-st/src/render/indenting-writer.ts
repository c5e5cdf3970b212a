/** Collects text and indents it: every line begun while an indentation is pushed gets it, lines of values too. */
export class IndentingWriter {
  #parts: string[] = [];
  #length = 0;
  #column = 0;
  #atLineStart = true;
  readonly #indents: string[] = [];
  readonly #anchors: number[] = [];

  /** Characters written so far. */
  get length(): number {
    return this.#length;
  }

  get text(): string {
    return this.#parts.join('');
  }

  pushIndent(indent: string): void {
    this.#indents.push(indent);
  }

  popIndent(): void {
    this.#indents.pop();
  }

  /** Lines that begin from here on begin in this column at least. */
  pushAnchor(): void {
    this.#anchors.push(this.#column);
  }

  popAnchor(): void {
    this.#anchors.pop();
  }

  write(text: string): void {
    let from = 0;
    while (from < text.length) {
      const newline = text.indexOf('\n', from);
      const lineEnd = newline > from && text[newline - 1] === '\r' ? newline - 1 : newline;
      if (newline < 0) this.#writeInLine(text.slice(from));
      else {
        this.#writeInLine(text.slice(from, lineEnd));
        this.#add(text.slice(lineEnd, newline + 1));
        this.#column = 0;
        this.#atLineStart = true;
      }
      from = newline < 0 ? text.length : newline + 1;
    }
  }

  #writeInLine(text: string): void {
    if (text === '') return;
    if (this.#atLineStart) {
      const indent = this.#indents.join('');
      this.#add(indent.padEnd(this.#anchors.at(-1) ?? 0));
      this.#atLineStart = false;
    }
    this.#add(text);
  }

  #add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    this.#column += text.length;
  }
}

import {
  BARE_ROW,
  FENCE,
  HEADING,
  ITEM,
  isBlank,
  isCode,
  isRowRule,
  isTableHead,
  isTitle,
  ROW,
  UNDERLINE,
} from './line-kinds.js';
import { type Span, splitSentences } from './split-sentences.js';

/** Something that can be quoted: a sentence, a list item, a row of a table, a code block with the sentence that leads to it. */
export interface Passage {
  /** Exactly as it stands in the document. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What says what the passage is about: headings above it, the head of its table, the sentence before its list. */
  readonly context: string;
  readonly isCode: boolean;
}

/** A list that is longer is quoted item by item. */
const LONGEST_LIST = 600;
/** A list item that is longer is quoted sentence by sentence. */
const LONGEST_ITEM = 300;

interface Line extends Span {
  readonly text: string;
}

/** Cuts a document, Markdown or plain text, into what can be quoted, in reading order. */
export function splitPassages(text: string): Passage[] {
  if (isJson(text))
    return [{ text: text.trim(), ...trimmed(text, { start: 0, end: text.length }), context: '', isCode: false }];
  return new PassageSplitter(text).split();
}

class PassageSplitter {
  readonly #text: string;
  readonly #lines: readonly Line[];
  readonly #passages: Passage[] = [];
  #at = 0;
  #heading = '';
  /** Up to this line the block is known to be no code. */
  #proseUntil = 0;
  /** The last sentence, when it ends in a colon: what follows belongs to it. */
  #lead: Span | undefined;

  constructor(text: string) {
    this.#text = text;
    let start = 0;
    this.#lines = text.split('\n').map((line) => {
      const span = { text: line, start, end: start + line.length };
      start = span.end + 1;
      return span;
    });
  }

  split(): Passage[] {
    for (let line = this.#line(); line !== undefined; line = this.#line()) {
      if (isBlank(line.text)) this.#at++;
      else if (FENCE.test(line.text)) this.#code();
      else if (HEADING.test(line.text)) this.#headingLine(line);
      else if (ROW.test(line.text) || this.#isBareTable()) this.#table();
      else if (this.#isBareCode()) this.#bareCode();
      else if (ITEM.test(line.text)) this.#list();
      else this.#paragraph();
    }
    this.#closeLead();
    return this.#passages;
  }

  #line(ahead = 0): Line | undefined {
    return this.#lines[this.#at + ahead];
  }

  #headingLine(line: Line): void {
    this.#closeLead();
    this.#heading = HEADING.exec(line.text)?.[1] ?? '';
    this.#at++;
  }

  #code(): void {
    const first = this.#take((line, taken) => taken === 0 || !FENCE.test(line.text));
    // The closing fence, unless the document was cut before it.
    const last =
      this.#line() === undefined ? first : { start: first.start, end: this.#lines[this.#at++]?.end ?? first.end };
    this.#addCode(last);
  }

  /** Code between empty lines, as readers leave it that take the fences away; it may hold empty lines itself. */
  #bareCode(): void {
    let block = this.#block();
    while (this.#line() !== undefined && isBlank(this.#line()?.text)) {
      this.#at++;
      if (!isBlank(this.#line()?.text) && this.#isBareCode()) block = { start: block.start, end: this.#block().end };
    }
    this.#addCode(block);
  }

  /** With the sentence that leads to it. */
  #addCode({ start, end }: Span): void {
    this.#push({ start: this.#lead?.start ?? start, end }, this.#heading, true);
    this.#lead = undefined;
  }

  /** Asked once a block, so that a long block costs no more than its length. */
  #isBareCode(): boolean {
    if (this.#at < this.#proseUntil) return false;
    let end = this.#at;
    while (!isBlank(this.#lines[end]?.text)) end++;
    if (isCode(this.#lines.slice(this.#at, end).map(({ text }) => text))) return true;
    this.#proseUntil = end;
    return false;
  }

  #isBareTable(): boolean {
    return BARE_ROW.test(this.#line()?.text ?? '') && BARE_ROW.test(this.#line(1)?.text ?? '');
  }

  #table(): void {
    const row = ROW.test(this.#line()?.text ?? '') ? ROW : BARE_ROW;
    const head = this.#line()?.text ?? '';
    const hasRule = isRowRule(this.#line(1)?.text ?? '');
    const lead = this.#closeLead();
    for (
      let line = this.#line(), number = 0;
      line !== undefined && row.test(line.text);
      line = this.#line(), number++
    ) {
      this.#at++;
      if (isRowRule(line.text) || (hasRule && number === 0)) continue;
      if (number > 0) this.#add(line, lead, head);
      else if (!isTableHead(line.text)) this.#add(line, lead);
    }
  }

  #list(): void {
    const items: Span[] = [];
    for (let line = this.#line(); line !== undefined && ITEM.test(line.text); line = this.#line()) {
      const item = this.#take(
        (next, taken) => taken === 0 || (!isBlank(next.text) && !ITEM.test(next.text) && !FENCE.test(next.text)),
      );
      items.push({
        start: item.start + (ITEM.exec(this.#text.slice(item.start, item.end))?.[0].length ?? 0),
        end: item.end,
      });
      // Items may stand apart by an empty line.
      if (isBlank(this.#line()?.text) && ITEM.test(this.#line(1)?.text ?? '')) this.#at++;
    }
    const lead = this.#lead;
    const whole = { start: lead?.start ?? 0, end: items.at(-1)?.end ?? 0 };
    if (lead !== undefined && whole.end - whole.start <= LONGEST_LIST) {
      this.#add(whole);
      this.#lead = undefined;
    }
    const context = lead === undefined ? '' : this.#text.slice(lead.start, lead.end);
    this.#closeLead();
    for (const item of items) {
      if (item.end - item.start <= LONGEST_ITEM) this.#add(item, context);
      else for (const sentence of this.#sentences(item)) this.#add(sentence, context);
    }
  }

  #paragraph(): void {
    const lines: Line[] = [];
    this.#take((line, taken) => {
      const goes =
        taken === 0 || (!isBlank(line.text) && ![FENCE, HEADING, ITEM, ROW].some((mark) => mark.test(line.text)));
      if (goes) lines.push(line);
      return goes;
    });
    this.#closeLead();
    const [first, second] = lines;
    if (first === undefined) return;
    const isUnderlined = second !== undefined && UNDERLINE.test(second.text);
    if (isUnderlined || isTitle(first.text, (second ?? this.#line(1))?.text ?? '')) {
      this.#heading = first.text.trim();
      lines.splice(0, isUnderlined ? 2 : 1);
    }
    const start = lines[0]?.start;
    if (start === undefined) return;
    const sentences = this.#sentences({ start, end: lines.at(-1)?.end ?? start });
    const last = sentences.at(-1);
    if (last !== undefined && /[:：]$/.test(this.#text.slice(last.start, last.end))) this.#lead = sentences.pop();
    for (const sentence of sentences) this.#add(sentence);
  }

  /** The leading sentence had nothing behind it that it belongs to: it is a sentence like others. */
  #closeLead(): string {
    const lead = this.#lead;
    this.#lead = undefined;
    if (lead === undefined) return '';
    this.#add(lead);
    return this.#text.slice(lead.start, lead.end);
  }

  #sentences({ start, end }: Span): Span[] {
    return splitSentences(this.#text.slice(start, end)).map((span) => ({
      start: start + span.start,
      end: start + span.end,
    }));
  }

  #block(): Span {
    return this.#take((line) => !isBlank(line.text));
  }

  #take(goes: (line: Line, taken: number) => boolean): Span {
    const start = this.#line()?.start ?? 0;
    let end = start;
    for (let line = this.#line(), taken = 0; line !== undefined && goes(line, taken); line = this.#line(), taken++) {
      end = line.end;
      this.#at++;
    }
    return { start, end };
  }

  #add(span: Span, ...context: readonly string[]): void {
    this.#push(span, [this.#heading, ...context].filter((part) => part !== '').join('\n'), false);
  }

  #push(span: Span, context: string, isCode: boolean): void {
    const { start, end } = trimmed(this.#text, span);
    if (end > start) this.#passages.push({ text: this.#text.slice(start, end), start, end, context, isCode });
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function trimmed(text: string, { start, end }: Span): Span {
  const piece = text.slice(start, end);
  return { start: start + (piece.length - piece.trimStart().length), end: start + piece.trimEnd().length };
}

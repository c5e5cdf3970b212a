import type { Reading } from '../reading/reading.js';
import { symbol } from '../text/symbol.js';
import { codePageOf, decodeCodePage, SYMBOL_SET } from './rtf-charsets.js';
import { RtfPage } from './rtf-page.js';
import {
  CHARACTERS,
  type Destination,
  firstState,
  KNOWN_OPTIONAL,
  LEFT_OUT,
  PROPERTIES,
  type RtfState,
  TIMES,
} from './rtf-state.js';
import type { RtfSink } from './rtf-tokens.js';

interface Font {
  name: string;
  characterSet: number;
}

interface Style {
  name: string;
  outline: number | undefined;
}

export interface RtfTextOptions {
  readonly includeNotes: boolean;
  readonly includeLinkUrls: boolean;
}

/** The text of a file, by the words in it. Source: Rich Text Format 1.9.1. */
export class RtfText implements RtfSink {
  readonly page: RtfPage = new RtfPage();
  readonly properties: Record<string, string> = {};
  readonly #reading: Reading;
  readonly #options: RtfTextOptions;
  readonly #stack: RtfState[] = [];
  #state: RtfState = firstState();
  readonly #pages: RtfPage[] = [this.page];
  readonly #fonts = new Map<number, Font>();
  readonly #styles = new Map<number, Style>();
  #font: Font = { name: '', characterSet: 0 };
  #style: Style = { name: '', outline: undefined };
  readonly #links: string[] = [];
  #marker = '';
  #codePage = 1_252;
  readonly #noteCounts = { footnote: 0, endnote: 0 };
  #fallbacks = 0;
  /** Bytes that wait for the rest of their character. */
  #bytes: number[] = [];

  constructor(reading: Reading, options: RtfTextOptions) {
    this.#reading = reading;
    this.#options = options;
  }

  /** Groups that are open. */
  get depth(): number {
    return this.#stack.length;
  }

  open(): void {
    this.#flush();
    if (this.#stack.length >= this.#reading.limits.maxDepth)
      throw this.#reading.tooLarge('maxDepth', 'has groups too deep inside each other');
    this.#stack.push(this.#state);
    this.#state = { ...this.#state, isOptional: false, end: undefined };
  }

  close(): void {
    this.#flush();
    const { end, destination } = this.#state;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    if (end === 'note') this.#endNote();
    else if (end === 'box') this.#endBox();
    else if (end === 'link') this.#endLink();
    this.#state = outer;
    if (destination === 'marker' && outer.destination !== 'marker') this.#endMarker();
  }

  byte(value: number): void {
    if (this.#fallbacks > 0) this.#fallbacks--;
    else if (this.#state.destination !== 'skip') this.#bytes.push(value);
  }

  /** Behind the last byte. */
  end(): void {
    this.#flush();
    this.page.end();
  }

  word(name: string, parameter: number | undefined): void {
    this.#flush();
    const state = this.#state;
    if (name === '*') {
      state.isOptional = true;
      return;
    }
    const isOptional = state.isOptional;
    state.isOptional = false;
    if (state.destination === 'skip') return;
    if (LEFT_OUT.has(name) || (isOptional && !KNOWN_OPTIONAL.has(name))) state.destination = 'skip';
    else if (name === 'u') this.#unicode(parameter ?? 0);
    else if (Object.hasOwn(CHARACTERS, name)) this.#write(CHARACTERS[name] ?? '');
    else if (!this.#group(name, parameter)) this.#format(name, parameter);
  }

  get #page(): RtfPage {
    return this.#pages.at(-1) ?? this.page;
  }

  /** Words that say what their group is. */
  #group(name: string, parameter: number | undefined): boolean {
    const state = this.#state;
    const property = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
    const time = Object.hasOwn(TIMES, name) ? TIMES[name] : undefined;
    const destination: Destination | undefined = (
      {
        fonttbl: 'fonts',
        stylesheet: 'styles',
        info: 'info',
        fldinst: 'instruction',
        listtext: 'marker',
        pntext: 'marker',
      } as const
    )[name];
    if (destination !== undefined) state.destination = destination;
    else if (state.destination === 'info' && (property ?? time) !== undefined) {
      state.destination = property === undefined ? 'time' : 'property';
      state.property = property ?? time ?? '';
    } else if (name === 'footnote') this.#beginNote();
    else if (name === 'ftnalt') state.isEndnote = true;
    else if (name === 'shptxt') this.#begin('box');
    else if (name === 'field') {
      state.end = 'link';
      this.#links.push('');
    } else if (state.destination === 'time') this.#time(name, parameter ?? 0);
    else return false;
    return true;
  }

  #format(name: string, parameter: number | undefined): void {
    const state = this.#state;
    const isOn = parameter !== 0;
    switch (name) {
      case 'par':
      case 'sect':
        this.#endParagraph();
        break;
      case 'page':
      case 'column':
        this.#write('\n');
        break;
      case 'pard':
        Object.assign(state, { isInTable: false, style: 0, outline: undefined, listLevel: 0 });
        break;
      case 'plain':
        Object.assign(state, { isHidden: false, isDeleted: false, font: -1 });
        break;
      case 'intbl':
        state.isInTable = true;
        break;
      case 'cell':
        if (this.#isText) this.#page.endCell();
        break;
      case 'nestcell':
        if (this.#isText) this.#page.endNested(' |');
        break;
      case 'nestrow':
        if (this.#isText) this.#page.endNested(';');
        break;
      case 'trowd':
        this.#page.beginRow();
        break;
      case 'row':
        if (this.#isText) this.#page.endRow();
        break;
      case 'cellx':
        this.#page.endCellDefinition();
        break;
      case 'clvmgf':
        this.#page.merge = 'begins';
        break;
      case 'clvmrg':
        this.#page.merge = 'goes on';
        break;
      case 'clmrg':
        this.#page.merge = 'is covered';
        break;
      case 'v':
        state.isHidden = isOn;
        break;
      case 'deleted':
        state.isDeleted = isOn;
        break;
      case 'ilvl':
        state.listLevel = Math.min(Math.max(parameter ?? 0, 0), 8);
        break;
      case 'outlinelevel':
        if (state.destination === 'styles') this.#style.outline = parameter;
        else state.outline = parameter;
        break;
      case 's':
        state.style = parameter ?? 0;
        if (state.destination === 'styles') this.#styles.set(state.style, this.#style);
        break;
      case 'f':
        this.#fontWord(parameter ?? 0);
        break;
      case 'fcharset':
        if (state.destination === 'fonts') this.#font.characterSet = parameter ?? 0;
        break;
      case 'ansicpg':
        this.#codePage = parameter ?? this.#codePage;
        break;
      case 'mac':
        this.#codePage = 10_000;
        break;
      case 'uc':
        state.fallback = Math.min(Math.max(parameter ?? 1, 0), 10);
        break;
    }
  }

  get #isText(): boolean {
    return this.#state.destination === 'text';
  }

  #fontWord(font: number): void {
    const state = this.#state;
    state.font = font;
    if (state.destination !== 'fonts') return;
    this.#font = { name: '', characterSet: 0 };
    this.#fonts.set(font, this.#font);
  }

  #unicode(parameter: number): void {
    const unit = (parameter < 0 ? parameter + 65_536 : parameter) & 0xffff;
    this.#fallbacks = this.#state.fallback;
    if (unit === 0) return;
    const font = this.#fonts.get(this.#state.font);
    const isSymbol = unit >= 0xf000 && unit <= 0xf0ff;
    const known = isSymbol ? symbol(font?.name ?? '', unit.toString(16).toUpperCase()) : String.fromCharCode(unit);
    // A marker of a list whose font is not named is a bullet.
    this.#write(known === '' && this.#state.destination === 'marker' ? '•' : known);
  }

  #flush(): void {
    this.#fallbacks = 0;
    if (this.#bytes.length === 0) return;
    const bytes = this.#bytes;
    this.#bytes = [];
    const font = this.#fonts.get(this.#state.font);
    if (font?.characterSet === SYMBOL_SET && this.#isText) {
      for (const byte of bytes) this.#write(byte < 0x21 ? ' ' : symbol(font.name, byte.toString(16).toUpperCase()));
      return;
    }
    this.#write(decodeCodePage(bytes, codePageOf(font?.characterSet ?? 0) ?? this.#codePage));
  }

  #write(text: string): void {
    const { destination, property, isHidden, isDeleted } = this.#state;
    switch (destination) {
      case 'text':
        if (!isHidden && !isDeleted) this.#page.add(text);
        break;
      case 'marker':
        this.#marker += text;
        break;
      case 'instruction': {
        const last = this.#links.length - 1;
        if (last >= 0 && (this.#links[last] ?? '').length < 4_096) this.#links[last] += text;
        break;
      }
      case 'property':
        this.properties[property] = (this.properties[property] ?? '') + text;
        break;
      case 'fonts':
        this.#font.name = (this.#font.name + text).replace(/;.*$/s, '').slice(0, 100);
        break;
      case 'styles':
        this.#styleName(text);
        break;
    }
  }

  /** A name ends with a semicolon, and with it the style. */
  #styleName(text: string): void {
    this.#style.name += text;
    if (!text.includes(';')) return;
    this.#style.name = this.#style.name.replace(/;.*$/s, '').trim().slice(0, 100);
    this.#style = { name: '', outline: undefined };
  }

  #endParagraph(): void {
    if (!this.#isText) return;
    const { isInTable, listLevel } = this.#state;
    this.#page.endParagraph({ headingLevel: this.#headingLevel(), listLevel, isInTable });
  }

  #headingLevel(): number | undefined {
    const { outline, style } = this.#state;
    const own = this.#styles.get(style);
    if (outline === undefined && own !== undefined) {
      if (/^title$/i.test(own.name)) return 0;
      const digit = /^heading ([1-9])$/i.exec(own.name)?.[1];
      if (digit !== undefined) return Number(digit);
    }
    const level = outline ?? own?.outline;
    return level === undefined || level < 0 || level > 8 ? undefined : level + 1;
  }

  #endMarker(): void {
    const text = this.#marker.trim();
    this.#marker = '';
    if (text !== '') this.#page.marker = /[\p{L}\p{N}]/u.test(text) ? text : '-';
  }

  #begin(end: 'note' | 'box'): void {
    Object.assign(this.#state, { end, isInTable: false, style: 0, outline: undefined, destination: 'text' });
    this.#pages.push(new RtfPage());
  }

  #beginNote(): void {
    if (this.#options.includeNotes && this.#isText) this.#begin('note');
    else this.#state.destination = 'skip';
  }

  #endNote(): void {
    const { isEndnote } = this.#state;
    const note = this.#endPage();
    const text = note.text;
    if (text === '') return;
    const mark = `[^${isEndnote ? 'e' : ''}${++this.#noteCounts[isEndnote ? 'endnote' : 'footnote']}]`;
    this.#page.add(mark);
    this.#page.notes.push(`${mark}: ${text}`);
  }

  #endBox(): void {
    const box = this.#endPage();
    this.#page.boxes.push(...box.blocks);
  }

  #endPage(): RtfPage {
    const page = this.#pages.length > 1 ? (this.#pages.pop() ?? this.page) : this.page;
    page.end();
    return page;
  }

  #endLink(): void {
    const url = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(this.#links.pop() ?? '')?.[1];
    if (url !== undefined && this.#options.includeLinkUrls) this.#page.add(` (${url})`);
  }

  #time(name: string, value: number): void {
    const at = ['yr', 'mo', 'dy', 'hr', 'min'].indexOf(name);
    if (at === -1) return;
    if (name === 'yr' && value === 0) {
      // Never.
      this.#state.destination = 'skip';
      return;
    }
    const separator = ['', '-', '-', 'T', ':'][at] ?? '';
    const { property } = this.#state;
    this.properties[property] = `${this.properties[property] ?? ''}${separator}${String(value).padStart(2, '0')}`;
  }
}

import type { Message } from '@vernal/core';
import { markPattern } from '@vernal/core/adapter';

/** A document of the prompt, as `QuestionAnswerAdvisor` puts it there. */
export interface GivenDocument {
  /** Its number for citations. */
  readonly index: number;
  readonly source: string;
  readonly title: string;
  readonly text: string;
}

export interface ReadPrompt {
  /** What the user asks, without the documents around it. */
  readonly question: string;
  /** What the user asked before; '' when nothing. */
  readonly previousQuestion: string;
  /** Undefined when the prompt has no place for documents at all, [] when a search found none. */
  readonly documents: readonly GivenDocument[] | undefined;
}

const BLOCK = /^<documents>\n([\s\S]*?)\n<\/documents>$/m;
const DOCUMENT = /^<document index="(\d+)"([^>]*)>\n([\s\S]*?)\n<\/document>$/gm;
const ATTRIBUTE = /([a-z]+)="([^"]*)"/g;
const ESCAPED_MARK: RegExp = /* @__PURE__ */ markPattern(['document', 'documents'], '&lt;');
const NOTHING_FOUND = '(No documents were found for this question.)';
const QUESTION = /^\s*Question:\s*/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Finds the question and the documents in the messages. System and assistant messages are not read: nothing in them can be quoted. */
export function readPrompt(messages: readonly Message[]): ReadPrompt {
  const asked = messages.filter((message) => message.type === 'user').map(({ text }) => text);
  const text = asked.at(-1) ?? '';
  return {
    question: questionOf(text),
    previousQuestion: questionOf(asked.at(-2) ?? ''),
    documents: documentsOf(text),
  };
}

function documentsOf(text: string): GivenDocument[] | undefined {
  const block = BLOCK.exec(text)?.[1];
  if (block === undefined) return nothingFoundAt(text) === undefined ? undefined : [];
  return Array.from(block.matchAll(DOCUMENT), ([, index = '', attributes = '', body = '']) => {
    const values = new Map<string, string>();
    for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE)) values.set(name, decoded(value));
    return {
      index: Number(index),
      source: values.get('source') ?? '',
      title: values.get('title') ?? '',
      text: body.replace(ESCAPED_MARK, '<'),
    };
  });
}

/** What stands behind the documents; with a template that puts them last, what stands before. */
function questionOf(text: string): string {
  const place = BLOCK.exec(text) ?? nothingFoundAt(text);
  if (place === undefined) return text.trim();
  const behind = text
    .slice(place.index + place[0].length)
    .replace(QUESTION, '')
    .trim();
  return behind === '' ? text.slice(0, place.index).trim() : behind;
}

function nothingFoundAt(text: string): { readonly index: number; readonly 0: string } | undefined {
  const index = text.split('\n').includes(NOTHING_FOUND) ? text.indexOf(NOTHING_FOUND) : -1;
  return index < 0 ? undefined : { index, 0: NOTHING_FOUND };
}

function decoded(value: string): string {
  return value.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}

import { markPattern } from '@vernal/core/adapter';

/** The marks that prompts of this package put around what others wrote. */
export type FenceMark = 'query' | 'conversation' | 'message';

const MARKS: RegExp = /* @__PURE__ */ markPattern(['query', 'conversation', 'message']);

/** Takes from a text what could open or close a block; all other markup is the author's and stays. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '&lt;');
}

/** A text as data in a prompt: between marks that it cannot close. */
export function fenced(mark: FenceMark, text: string): string {
  return `<${mark}>\n${withoutMarks(text)}\n</${mark}>`;
}

/** `{name}` or `{a.b}` in a template. */
export interface Placeholder {
  readonly name: string;
  /** `name` at its dots. */
  readonly path: readonly string[];
  /** Where its opening delimiter begins. */
  readonly at: number;
}

/** A template cut at its placeholders: `literals[0]`, `placeholders[0]`, `literals[1]`, …; one literal more than placeholders. */
export interface ParsedTemplate {
  readonly literals: readonly string[];
  readonly placeholders: readonly Placeholder[];
}

/** How many templates a renderer remembers. */
const MAX_PARSED = 500;
/** Longer ones are parsed again: what is remembered stays small. */
const MAX_REMEMBERED_LENGTH = 20_000;
/** A name begins like an identifier, so that `{0}`, `\d{3}` and `{}` are text; what follows a dot may be the index of a list. */
const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{M}\p{N}_-]+)*`;

/** A parser of templates with these delimiters; it remembers the templates it saw last. */
export function templateParser(start: string, end: string): (template: string) => ParsedTemplate {
  const pattern = new RegExp(`${escapeRegExp(start)}(${NAME})${escapeRegExp(end)}`, 'gu');
  const parsed = new Map<string, ParsedTemplate>();
  return (template) => {
    const known = parsed.get(template);
    if (known !== undefined) return known;
    const result = parse(template, pattern);
    if (template.length <= MAX_REMEMBERED_LENGTH) {
      if (parsed.size >= MAX_PARSED) parsed.delete(parsed.keys().next().value ?? '');
      parsed.set(template, result);
    }
    return result;
  };
}

function parse(template: string, pattern: RegExp): ParsedTemplate {
  const literals: string[] = [];
  const placeholders: Placeholder[] = [];
  let from = 0;
  for (const match of template.matchAll(pattern)) {
    const name = match[1] ?? '';
    literals.push(template.slice(from, match.index));
    placeholders.push({ name, path: name.split('.'), at: match.index });
    from = match.index + match[0].length;
  }
  literals.push(template.slice(from));
  return { literals, placeholders };
}

/** Letters too may stand in a delimiter, and none of them needs escaping under the `u` flag. */
function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

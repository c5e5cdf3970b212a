import { invalidArgument } from '../errors/invalid-argument.js';
import { TemplateError } from '../errors/template-error.js';
import type { Logger } from '../logging/logger.js';
import { safeLogger } from '../logging/safe-logger.js';
import { type ParsedTemplate, type Placeholder, templateParser } from './parsed-template.js';
import type { TemplateRenderer, TemplateVariables } from './template-renderer.js';
import { lookUp, MISSING, textOf } from './template-value.js';

/** What marks a placeholder, and what happens when its variable is missing. */
export interface DefaultRendererOptions {
  /** Default '{' and '}'. One or more characters each, not equal. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** A missing variable: 'throw' (default), 'warn' (renders ''), 'none' (renders ''). */
  readonly validation?: 'throw' | 'warn' | 'none' | undefined;
  /** Where 'warn' warns; it names the missing variables. Default silent. */
  readonly logger?: Logger | undefined;
}

/**
 * Only `{name(.name)*}` is a placeholder; any other brace is literal, with or without variables, so JSON, CSS and code may stand in a
 * template as they are. Names may be of any script: letters, digits, `_` and `-`, not a digit first. `{a.b}` is property `b` of `a`,
 * `{list.0}` an element; only own properties count. Variables that the template does not name are no error.
 *
 * Text is put in as it is and never rendered again, numbers and booleans as JavaScript writes them, null as '', a Date as ISO text, lists
 * and objects as JSON. `render` throws `TemplateError` for functions, symbols and resources that were not read, and, unless `validation`
 * says otherwise, for variables that are not given or undefined. Parsed templates are remembered, a bounded number of them.
 *
 * Throws `invalid_argument` for delimiters that cannot work.
 * Source: `StTemplateRenderer` of spring-ai-template-st; its loops and conditions are not part of this one.
 *
 * @example
 * defaultRenderer().render('Answer like {"city": "…"} for {city.name}.', { city: { name: 'Rome' } });
 */
export function defaultRenderer(options: DefaultRendererOptions = {}): TemplateRenderer {
  const { start = '{', end = '}', validation = 'throw' } = options;
  checkDelimiters(start, end);
  const parse = templateParser(start, end);

  function render(template: string, variables: TemplateVariables): string {
    const parsed = parse(template);
    const { literals, placeholders } = parsed;
    let text = literals[0] ?? '';
    let someMissing = false;
    for (let i = 0; i < placeholders.length; i++) {
      const placeholder = placeholders[i] as Placeholder;
      const value = lookUp(variables, placeholder.name, placeholder.path);
      if (value === MISSING) someMissing = true;
      else text += textOf(value) ?? refuse(template, placeholder, value);
      text += literals[i + 1] ?? '';
    }
    if (someMissing && validation !== 'none') reportMissing(template, parsed, variables);
    return text;
  }

  function reportMissing(template: string, { placeholders }: ParsedTemplate, variables: TemplateVariables): void {
    const absent = placeholders.filter(({ name, path }) => lookUp(variables, name, path) === MISSING);
    const missing = [...new Set(absent.map(({ name }) => name))];
    if (validation === 'warn') {
      safeLogger(options.logger).warn('Template variables are missing and were rendered as nothing', { missing });
      return;
    }
    const place = absent[0] === undefined ? {} : placeOf(template, absent[0].at);
    throw new TemplateError(
      `Template variables are missing: ${missing.join(', ')}; give a value (null for none), or choose other delimiters if they are meant as text`,
      { subject: missing[0], missing, ...place },
    );
  }

  return {
    render,
    variables: (template) => [...new Set(parse(template).placeholders.map(({ name }) => name))],
  };
}

function refuse(template: string, { name, at }: Placeholder, value: unknown): never {
  const object = value instanceof Date ? 'an invalid Date' : 'a resource; use readText() first';
  const kind = typeof value === 'object' ? object : `a ${typeof value}`;
  throw new TemplateError(
    `Template variable ${name} has no text: it is ${kind}; give text, a number, a list or an object`,
    {
      subject: name,
      ...placeOf(template, at),
    },
  );
}

function placeOf(template: string, at: number): { readonly line: number; readonly column: number } {
  const before = template.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function checkDelimiters(start: string, end: string): void {
  for (const [subject, delimiter] of [
    ['start', start],
    ['end', end],
  ] as const) {
    if (typeof delimiter !== 'string' || delimiter.trim() === '') {
      throw invalidArgument(subject, 'a delimiter needs one or more characters that are not white space');
    }
  }
  if (start === end) throw invalidArgument('end', 'must differ from start, or no one can tell which of them opens');
  if (/^[\p{L}\p{M}\p{N}_.-]/u.test(end)) {
    throw invalidArgument('end', "must not begin with a letter, a digit, '_', '-' or '.', which may be part of a name");
  }
}

import {
  invalidArgument,
  type Logger,
  safeLogger,
  TemplateError,
  type TemplateRenderer,
  type TemplateVariables,
} from '@vernal/core';
import { checkedDelimiters } from './delimiters.js';
import type { Occurrence } from './language/free-variables.js';
import { FUNCTION_NAMES } from './language/syntax-tree.js';
import { placeOf } from './language/template-place.js';
import { Interpreter } from './render/interpreter.js';
import { outermostScope } from './render/scope.js';
import { cachedParser, type ParsedTemplate } from './template-cache.js';

/** What marks a placeholder, and what happens when something is missing. */
export interface StTemplateRendererOptions {
  /** Default '{'. One character; it may equal `end`. */
  readonly start?: string | undefined;
  /** Default '}'. One character. */
  readonly end?: string | undefined;
  /** A variable that is not given: 'throw' (default), 'warn' (tells the logger, renders ''), 'none' (renders ''). */
  readonly validation?: 'throw' | 'warn' | 'none' | undefined;
  /**
   * True: with `validation` 'throw', calls of functions that StringTemplate does not have are an error. Default false: such a call
   * renders nothing and is told to the logger, as in StringTemplate.
   */
  readonly validateStFunctions?: boolean | undefined;
  /** Where warnings and run-time problems, such as a property that does not exist, go; names and places only. Default silent. */
  readonly logger?: Logger | undefined;
}

/**
 * Templates in the language of StringTemplate 4: `{name}`, `{a.b}`, `{items; separator=", "}`, `{items:{x | - {x}}}`,
 * `{if(x)}…{else}…{endif}`, functions such as `first` and `length`. A brace that is meant as text is written `\{`, or other delimiters
 * are chosen; `defaultRenderer` of core leaves braces alone and has no loops.
 *
 * A variable counts as given when its name is there, be its value null or undefined, which render ''. Values are put in as they are and
 * never rendered again; only own properties are read. Dates are ISO text, maps and plain objects give their keys, other objects are JSON.
 * Lines of a value are indented like the placeholder, if that stands first in its line.
 *
 * Constructor: throws `invalid_argument` for delimiters that cannot work. Parsed templates are remembered, a bounded number of them.
 * Source: `StTemplateRenderer` of spring-ai-template-st; StringTemplate 4.3.4.
 *
 * @example
 * const renderer = new StTemplateRenderer({ start: '<', end: '>' });
 * renderer.render('Compare <cities; separator=" and ">.', { cities: ['Rome', 'Oslo'] }); // 'Compare Rome and Oslo.'
 */
export class StTemplateRenderer implements TemplateRenderer {
  readonly #parse: (template: string) => ParsedTemplate;
  readonly #validation: 'throw' | 'warn' | 'none';
  readonly #validatesFunctions: boolean;
  readonly #logger: Logger;

  constructor(options: StTemplateRendererOptions = {}) {
    const { start = '{', end = '}', validation = 'throw', validateStFunctions = false } = options;
    if (!['throw', 'warn', 'none'].includes(validation)) {
      throw invalidArgument('validation', "must be 'throw', 'warn' or 'none'");
    }
    this.#parse = cachedParser(checkedDelimiters(start, end));
    this.#validation = validation;
    this.#validatesFunctions = validateStFunctions;
    this.#logger = safeLogger(options.logger);
  }

  /**
   * Throws `TemplateError` with line and column for a template that is not valid, for values without text (functions, symbols, invalid
   * dates) and, unless `validation` says otherwise, with the names of all variables that are not given; `invalid_argument` for a blank
   * template and for variables that are no object or have a dot in a name.
   */
  render(template: string, variables: TemplateVariables): string {
    checkVariables(variables);
    const parsed = this.#parse(checkedTemplate(template));
    this.#validate(template, parsed, variables);
    const interpreter = new Interpreter({
      report: (problem, at) =>
        this.#logger.warn('A part of a template was rendered as nothing', { problem, ...placeOf(template, at) }),
      refuse: (problem, at) => {
        const { line, column } = placeOf(template, at);
        throw new TemplateError(`At line ${line}, column ${column} of the template ${problem}`, { line, column });
      },
    });
    return interpreter.render(parsed.template, outermostScope(variables));
  }

  /** Throws `TemplateError` for a template that is not valid, `invalid_argument` for a blank one. */
  variables(template: string): string[] {
    return this.#parse(checkedTemplate(template)).needs.variables.map(({ name }) => name);
  }

  #validate(template: string, { needs }: ParsedTemplate, variables: TemplateVariables): void {
    if (this.#validation === 'none') return;
    const absent = needs.variables.filter(({ name }) => !Object.hasOwn(variables, name));
    if (this.#validation === 'warn') {
      if (absent.length > 0) {
        this.#logger.warn('Template variables are missing and were rendered as nothing', { missing: names(absent) });
      }
      return;
    }
    const [missing] = absent;
    if (missing !== undefined) {
      throw new TemplateError(
        `Template variables are missing: ${names(absent).join(', ')}; give a value, null for none`,
        {
          subject: missing.name,
          missing: names(absent),
          ...placeOf(template, missing.at),
        },
      );
    }
    const [unknown] = this.#validatesFunctions ? needs.unknownFunctions : [];
    if (unknown !== undefined) {
      throw new TemplateError(
        `The template calls functions that do not exist: ${names(needs.unknownFunctions).join(', ')}; there are ${FUNCTION_NAMES.join(', ')}`,
        { subject: unknown.name, ...placeOf(template, unknown.at) },
      );
    }
  }
}

function names(found: readonly Occurrence[]): string[] {
  return found.map(({ name }) => name);
}

function checkedTemplate(template: string): string {
  if (typeof template !== 'string' || template.trim() === '') {
    throw invalidArgument('template', 'must be text that is not blank');
  }
  return template;
}

function checkVariables(variables: TemplateVariables): void {
  if (typeof variables !== 'object' || variables === null) throw invalidArgument('variables', 'must be an object');
  for (const name of Object.keys(variables)) {
    if (name.includes('.')) {
      throw invalidArgument('variables', 'a name must have no dot; give an object, whose properties the dot names');
    }
  }
}

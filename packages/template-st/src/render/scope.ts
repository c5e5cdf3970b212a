import type { TemplateVariables } from '@vernal/core';
import type { Template } from '../language/syntax-tree.js';

/** The names that a part of a template sees. */
export interface Scope {
  /** Null for a name that nobody gave. */
  get(name: string): unknown;
}

/** Own properties only: `constructor` is no variable unless somebody gives it. */
export function outermostScope(variables: TemplateVariables): Scope {
  return { get: (name) => (Object.hasOwn(variables, name) ? (variables[name] ?? null) : null) };
}

export function innerScope(names: ReadonlyMap<string, unknown>, outer: Scope): Scope {
  return { get: (name) => (names.has(name) ? names.get(name) : outer.get(name)) };
}

/** A template as a value: it is rendered when it is written, with the names of the place where it stands. */
export class LazyTemplate {
  readonly #template: Template;
  readonly #scope: Scope;

  constructor(template: Template, scope: Scope) {
    this.#template = template;
    this.#scope = scope;
  }

  get template(): Template {
    return this.#template;
  }

  get scope(): Scope {
    return this.#scope;
  }
}

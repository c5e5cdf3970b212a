import type { CallContext } from '../context/call-context.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import { TemplateError } from '../errors/template-error.js';
import { setOwn } from '../json/own-property.js';
import type { Media } from '../media/media.js';
import type { UserMessage } from '../messages/message.js';
import { userMessage } from '../messages/message-factories.js';
import type { ChatOptions } from '../options/chat-options.js';
import { Prompt } from '../prompt/prompt.js';
import { readText } from '../resource/read-text.js';
import type { Resource } from '../resource/resource.js';
import { defaultRenderer } from './default-renderer.js';
import type { TemplateRenderer, TemplateVariables } from './template-renderer.js';

/** A template that brings variables or a renderer of its own. */
export interface TemplateOptions {
  readonly template: string;
  /** Values that are known already. */
  readonly variables?: TemplateVariables | undefined;
  /** Default `defaultRenderer()`. */
  readonly renderer?: TemplateRenderer | undefined;
}

/** Renderers, kept out of the class's type so that two copies of the package agree on it. */
const renderers = new WeakMap<PromptTemplate, TemplateRenderer>();
const standardRenderer: TemplateRenderer = /* @__PURE__ */ defaultRenderer();

/**
 * A template of text. Immutable; variables given later win over those given at construction, key by key.
 * Throws `invalid_argument` for a blank template. Source: `PromptTemplate` of spring-ai-model.
 *
 * @example
 * const joke = new PromptTemplate('Tell a joke about {topic}');
 * const prompt = joke.create({ topic: 'cows' }, { temperature: 1 });
 */
export class PromptTemplate {
  /** The text as it was given. */
  readonly template: string;
  /** Those that are known already; what `render` is given wins over them. */
  readonly variables: TemplateVariables;

  constructor(template: string | TemplateOptions) {
    const {
      template: text,
      variables,
      renderer,
    }: TemplateOptions = typeof template === 'string' ? { template } : template;
    if (typeof text !== 'string' || text.trim() === '')
      throw invalidArgument('template', 'must be text that is not blank');
    this.template = text;
    this.variables = { ...variables };
    renderers.set(this, renderer ?? standardRenderer);
  }

  /** Reads the resource as text first. */
  static async from(
    resource: Resource,
    options?: Omit<TemplateOptions, 'template'> & CallContext,
  ): Promise<PromptTemplate> {
    return new PromptTemplate(await templateFrom(resource, options));
  }

  /** Placeholders that the template really holds, in order of appearance, each once. [] when the renderer cannot tell. */
  get placeholders(): readonly string[] {
    return rendererOf(this).variables?.(this.template) ?? [];
  }

  /** A copy that knows these too. */
  with(variables: TemplateVariables): PromptTemplate {
    return new PromptTemplate({
      template: this.template,
      variables: withGiven(this.variables, variables),
      renderer: rendererOf(this),
    });
  }

  /** Throws `TemplateError` when variables are missing. */
  render(variables?: TemplateVariables): string {
    return rendererOf(this).render(this.template, withGiven(this.variables, variables));
  }

  /** A user message of the rendered text. Throws `TemplateError` when variables are missing. */
  createMessage(variables?: TemplateVariables, media?: readonly Media[]): UserMessage {
    return userMessage(this.render(variables), { media });
  }

  /** A prompt of that user message alone. Throws `TemplateError` when variables are missing. */
  create(variables?: TemplateVariables, options?: ChatOptions): Prompt {
    return new Prompt(this.createMessage(variables), options);
  }
}

/**
 * Throws `template` naming every placeholder of `names` that the template does not hold as a placeholder; prose that has the word in it
 * does not count. A renderer of one's own has to list its `variables` to pass.
 */
export function requirePlaceholders(template: PromptTemplate, names: readonly string[]): void {
  const present = new Set(template.placeholders);
  const absent = names.filter((name) => !present.has(name));
  if (absent.length === 0) return;
  throw new TemplateError(
    `The template needs the placeholders ${absent.join(', ')}; write each where its value belongs`,
    {
      subject: absent[0],
      missing: absent,
    },
  );
}

/** What the constructors of all templates take, read from a resource. */
export async function templateFrom(
  resource: Resource,
  options: (Omit<TemplateOptions, 'template'> & CallContext) | undefined,
): Promise<TemplateOptions> {
  return { template: await readText(resource, options), variables: options?.variables, renderer: options?.renderer };
}

/** What is undefined is not given: it takes nothing away from what is known. */
function withGiven(known: TemplateVariables, given: TemplateVariables | undefined): TemplateVariables {
  if (given === undefined) return known;
  const all = { ...known, ...given };
  for (const name of Object.keys(known)) {
    if (given[name] === undefined) setOwn(all, name, known[name]);
  }
  return all;
}

function rendererOf(template: PromptTemplate): TemplateRenderer {
  return renderers.get(template) ?? standardRenderer;
}

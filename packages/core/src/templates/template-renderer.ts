/** Values by name. `undefined` counts as not given, null renders ''. */
export type TemplateVariables = Readonly<Record<string, unknown>>;

/**
 * Turns a template and its variables into text. `defaultRenderer` is what everything uses unless told otherwise.
 * Source: `TemplateRenderer` of spring-ai-commons.
 */
export interface TemplateRenderer {
  /** Throws `TemplateError` with every missing name and the place of the first. Values are never rendered again. */
  render(template: string, variables: TemplateVariables): string;
  /** Names the template asks for, in order of appearance, each once. */
  variables?(template: string): string[];
}

/** Gives the template back: for texts that hold braces of their own. Source: `NoOpTemplateRenderer` of spring-ai-commons. */
export const noopRenderer: TemplateRenderer = {
  render: (template) => template,
  variables: () => [],
};

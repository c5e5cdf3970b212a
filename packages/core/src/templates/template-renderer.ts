export type TemplateVariables = Readonly<Record<string, unknown>>;

export interface TemplateRenderer {
  /** Throws `TemplateError` with every missing name and the place of the first. Values are never rendered again. */
  render(template: string, variables: TemplateVariables): string;
  /** Names the template asks for, in order of appearance, each once. */
  variables?(template: string): string[];
}

/** Gives the template back. */
export declare const noopRenderer: TemplateRenderer;

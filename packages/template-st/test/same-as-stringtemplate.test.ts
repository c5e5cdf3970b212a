import { readFileSync } from 'node:fs';
import { TemplateError } from '@vernal/core';
import { StTemplateRenderer, type StTemplateRendererOptions } from '@vernal/template-st';
import fc from 'fast-check';
import { ST, STGroup } from 'stringtemplate4ts';
import { describe, expect, it } from 'vitest';
import { generatedTemplate, generatedVariables } from './generated-templates.js';

/** A template, and what StringTemplate 4.3.4 for Java makes of it: text, or an error for a template that is not valid. */
interface Recorded extends Pick<StTemplateRendererOptions, 'start' | 'end'> {
  readonly template: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly error?: true;
}

const file = new URL('./fixtures/stringtemplate-4.3.4.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];

describe('renders what StringTemplate for Java renders', () => {
  it.each(recorded.filter(({ error }) => error === undefined))(
    '$template',
    ({ start, end, template, variables, text }) => {
      const before = JSON.stringify(variables);
      expect(new StTemplateRenderer({ start, end, validation: 'none' }).render(template, variables)).toBe(text);
      expect(JSON.stringify(variables)).toBe(before);
    },
  );

  it.each(recorded.filter(({ error }) => error))('refuses $template', ({ template, variables }) => {
    const refusal = expect.objectContaining({ code: 'template', line: expect.any(Number), column: expect.any(Number) });
    const render = () => new StTemplateRenderer({ validation: 'none' }).render(template, variables);
    expect(render).toThrow(TemplateError);
    expect(render).toThrow(refusal);
  });
});

const silent = { compileTimeError() {}, runTimeError() {}, iOError() {}, internalError() {} };

/** The port knows no plain objects. */
function withMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMaps);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, withMaps(inner)]));
}

function renderedByPort(template: string, variables: object): string {
  const group = new STGroup('{', '}');
  group.setListener(silent);
  const st = new ST(group, template);
  for (const [name, value] of Object.entries(variables)) st.add(name, withMaps(value));
  return st.render();
}

it('renders what the port of StringTemplate renders, for generated templates', () => {
  const ours = new StTemplateRenderer({ validation: 'none' });
  fc.assert(
    fc.property(generatedTemplate, generatedVariables, (template, variables) => {
      expect(ours.render(template, { ...variables })).toBe(renderedByPort(template, variables));
    }),
    { numRuns: 200 },
  );
});

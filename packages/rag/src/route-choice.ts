import type { StructuredOutputConverter } from '@vernal/core';
import { answerList, answerText } from './answer-json.js';

/** What a model is told of the routes: their names, and what each is for. One line each, so that none can pass for two. */
export function routeLines(routes: readonly { readonly name: string; readonly description: string }[]): string {
  return routes.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, ' ').trim()}`).join('\n');
}

/** Reads the names of routes out of an answer: exactly those that are known, each once; all others are left out. */
export function routeConverter(names: readonly string[]): StructuredOutputConverter<string[]> {
  const known = new Set(names);
  return {
    format: 'Write JSON and nothing else: {"routes": ["name", …]}.',
    jsonSchema: {
      type: 'object',
      properties: { routes: { type: 'array', items: { type: 'string', enum: [...names] } } },
      required: ['routes'],
      additionalProperties: false,
    },
    convert: (answer) => {
      // Names one a line are understood as well; a bullet and a quote belong to no name.
      const given =
        answerList(answer, 'routes') ??
        answerText(answer)
          .split('\n')
          .map((line) =>
            line
              .replace(/^\s*[-*]\s+/, '')
              .replace(/^["'`]|(?<!["'`,])["'`,]+$/g, '')
              .trim(),
          );
      return [...new Set(given.filter((name) => typeof name === 'string' && known.has(name)))] as string[];
    },
  };
}

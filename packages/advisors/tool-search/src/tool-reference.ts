import type { JsonSchema, ToolCallback } from '@vernal/core';
import { contentId } from '@vernal/core';
import type { ToolReference } from './tool-index.js';

/** Deeper parameters say little about what a tool is for. */
const MAX_DEPTH = 4;

type Parameter = ToolReference['parameters'][number];

export function toolReference({ definition }: ToolCallback, categories: readonly string[]): ToolReference {
  const parameters: Parameter[] = [];
  collectParameters(definition.inputSchema, 0, parameters);
  return { name: definition.name, description: definition.description, parameters, categories };
}

/** The same for the same tools in any order, on every machine; another one as soon as anything that is indexed changes. */
export function toolSetId(tools: readonly ToolReference[]): Promise<string> {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return contentId(
    JSON.stringify(sorted.map((tool) => [tool.name, tool.description, tool.parameters, tool.categories])),
  );
}

function collectParameters(schema: unknown, depth: number, found: Parameter[]): void {
  if (!isSchema(schema) || depth >= MAX_DEPTH) return;
  const properties: unknown = schema['properties'];
  for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
    const description: unknown = isSchema(property) ? property['description'] : undefined;
    found.push(typeof description === 'string' ? { name, description } : { name });
    collectParameters(property, depth + 1, found);
  }
  collectParameters(schema['items'], depth + 1, found);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const choices: unknown = schema[keyword];
    if (Array.isArray(choices)) for (const choice of choices) collectParameters(choice, depth + 1, found);
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

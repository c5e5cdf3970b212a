import type { ToolCallback } from '@vernal/core';
import { invalidArgument } from '@vernal/core';

/** The category or categories of a tool; undefined or [] for none. */
export type ToolCategories = (tool: ToolCallback) => string | readonly string[] | undefined;

/** Reads `category` of the tool's metadata, which tools that come from elsewhere may have: a text, or a list of texts. */
export function metadataCategories({ metadata }: ToolCallback): string | readonly string[] | undefined {
  const category: unknown = Reflect.get(metadata, 'category');
  if (typeof category === 'string') return category;
  return Array.isArray(category) ? category.filter((one): one is string => typeof one === 'string') : undefined;
}

/** As a list. Throws `invalid_argument` for what is no text. */
export function categoriesOf(tool: ToolCallback, categories: ToolCategories): readonly string[] {
  const given = categories(tool) ?? [];
  const list: readonly unknown[] = typeof given === 'string' ? [given] : given;
  return list
    .map((category) => {
      if (typeof category === 'string') return category;
      throw invalidArgument(
        'categories',
        `must give texts, or undefined; tool '${tool.definition.name}' has something else`,
      );
    })
    .filter((category) => category.trim() !== '');
}

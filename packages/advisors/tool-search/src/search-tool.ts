import type { JsonSchema, JsonSchemaValidator, Message, ToolCallback, ToolContext } from '@vernal/core';
import { invalidArgument, jsonSchema, tool } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';

/** What the model writes. */
export interface ToolSearchInput {
  readonly query: string;
  readonly maxResults?: number;
  readonly categoryFilter?: string;
}

/** What the model reads: names, with what the tools do where that is wanted. Nothing found is [] here and words there. */
export type ToolSearchAnswer = readonly (string | { readonly name: string; readonly description: string })[];

export interface SearchToolSettings {
  readonly name: string;
  readonly description: string;
  readonly maxResults: number;
}

const NOTHING_FOUND =
  'No tool matches. Search once more with other or more general words, for one thing at a time; if that finds nothing either, there is no such tool.';
const NOTHING_FOUND_THERE = 'No tool of this category matches. Search without categoryFilter, or with other words.';

/** Makes the search tools of one advisor: one a turn, whose definition only changes when the categories do. */
export class SearchToolFactory {
  readonly #settings: SearchToolSettings;
  readonly #validator: JsonSchemaValidator = jsonSchemaValidator();
  #schema: { readonly key: string; readonly schema: JsonSchema } | undefined;

  constructor(settings: SearchToolSettings) {
    this.#settings = settings;
  }

  create(
    categories: readonly string[],
    search: (input: ToolSearchInput, context: ToolContext) => Promise<ToolSearchAnswer>,
  ): ToolCallback {
    const { name, description } = this.#settings;
    return tool({
      name,
      description,
      input: jsonSchema<ToolSearchInput>(this.#schemaFor(categories), { validator: this.#validator }),
      async execute(input, context) {
        // Not a rule of the schema: servers that turn schemas into grammars stumble over patterns.
        if (input.query.trim() === '')
          throw invalidArgument('query', 'is blank: say in a few words what the tool has to do');
        const found = await search(input, context);
        if (found.length > 0) return found;
        return input.categoryFilter === undefined ? NOTHING_FOUND : NOTHING_FOUND_THERE;
      },
    });
  }

  /** The same object for the same categories, so that it is compiled once. */
  #schemaFor(categories: readonly string[]): JsonSchema {
    const key = JSON.stringify(categories);
    if (this.#schema?.key !== key) this.#schema = { key, schema: inputSchema(categories, this.#settings.maxResults) };
    return this.#schema.schema;
  }
}

function inputSchema(categories: readonly string[], maxResults: number): JsonSchema {
  return {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'What the tool has to do, in a few words, such as "send an email"',
      },
      maxResults: { type: 'integer', minimum: 1, description: `How many names to give, ${maxResults} at most` },
      ...(categories.length > 0 && {
        categoryFilter: { type: 'string', enum: categories, description: 'Only tools of this category' },
      }),
    },
    required: ['query'],
    additionalProperties: false,
  };
}

/**
 * The names that answers of the search tool hold, in the order they were given, each once: of the whole history, or of the newest
 * message with such answers. Undefined: there are no such answers.
 */
export function searchedNames(
  messages: readonly Message[],
  toolName: string,
  newestOnly: boolean,
): readonly string[] | undefined {
  const names = new Set<string>();
  let answered = false;
  for (const message of newestOnly ? messages.toReversed() : messages) {
    if (message.type !== 'tool') continue;
    for (const { name, result, isError } of message.responses) {
      if (name !== toolName || isError === true) continue;
      answered = true;
      for (const found of namesIn(result)) names.add(found);
    }
    if (answered && newestOnly) break;
  }
  return answered ? [...names] : undefined;
}

/** [] for the words that say that nothing was found. */
function namesIn(result: string): readonly string[] {
  let answer: unknown;
  try {
    answer = JSON.parse(result);
  } catch {
    return [];
  }
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((one: unknown) => {
    const name: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'name') : one;
    return typeof name === 'string' ? [name] : [];
  });
}

import type { Document, JsonObject, ToolCallback, ToolResult } from '@vernal/core';
import { formatDocument, jsonSchema, tool } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import type { SearchRequest, VectorStoreRetriever } from '@vernal/vector-store';

/** How a store is searched by a tool. What the model may not choose is fixed here: filters above all. */
export interface VectorStoreToolOptions
  extends Pick<SearchRequest, 'similarityThreshold' | 'filterExpression' | 'mode' | 'mmr'> {
  /** Default 'search'. */
  readonly name?: string | undefined;
  /** Says what is in the store. Default 'Searches documents by meaning'. */
  readonly description?: string | undefined;
  /** Documents when the model does not say. Default 4. */
  readonly topK?: number | undefined;
  /** The most that the model may ask for. Default 20. */
  readonly maxTopK?: number | undefined;
  /**
   * Which metadata goes out, in the text as in the structured content. Default: all but the distance,
   * and what the documents' format keeps from models.
   */
  readonly metadata?: readonly string[] | false | undefined;
}

interface SearchInput {
  readonly query: string;
  readonly topK?: number;
}

const DEFAULT_TOP_K = 4;
const DEFAULT_MAX_TOP_K = 20;

/**
 * A tool that searches a store: texts for the model, and as structured content id, score and metadata of each document.
 * The input is `{ query, topK? }`; the filter is never the model's.
 *
 * @example
 * const handbook = vectorStoreTool(store, { name: 'searchHandbook', description: 'Searches the staff handbook' });
 */
export function vectorStoreTool(store: VectorStoreRetriever, options: VectorStoreToolOptions = {}): ToolCallback {
  const { name = 'search', description = 'Searches documents by meaning', metadata } = options;
  const { topK = DEFAULT_TOP_K, maxTopK = Math.max(DEFAULT_MAX_TOP_K, topK) } = options;
  const { similarityThreshold, filterExpression, mode, mmr } = options;
  return tool({
    name,
    description,
    input: jsonSchema<SearchInput>(
      {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'What to look for, in words' },
          topK: { type: 'integer', minimum: 1, maximum: maxTopK, description: `How many documents, default ${topK}` },
        },
        required: ['query'],
        additionalProperties: false,
      },
      { validator: jsonSchemaValidator() },
    ),
    execute: (input, context) =>
      store.similaritySearch(
        { query: input.query, topK: input.topK ?? topK, similarityThreshold, filterExpression, mode, mmr },
        context,
      ),
    convertResult: (documents) => searchResult(documents, metadata),
  });
}

function searchResult(documents: readonly Document[], metadata: readonly string[] | false | undefined): ToolResult {
  const shown = documents.map((found) => ({ ...found, metadata: shownMetadata(found, metadata) }));
  const texts = shown.map((found, index) => `[${index + 1}] ${formatDocument(found, 'inference')}`);
  return {
    text: documents.length === 0 ? 'No documents found.' : texts.join('\n\n'),
    structured: {
      documents: shown.map((found) => ({
        id: found.id,
        ...(found.text === undefined ? undefined : { text: found.text }),
        ...(found.score === undefined ? undefined : { score: found.score }),
        metadata: found.metadata,
      })),
    },
  };
}

function shownMetadata(found: Document, shown: readonly string[] | false | undefined): JsonObject {
  if (shown === false) return {};
  // A distance reads as if it were a fact about the document; the score stands beside it.
  const hidden = [...(found.format?.excludedInferenceMetadataKeys ?? []), 'distance'];
  const keep = (key: string): boolean => (shown === undefined ? !hidden.includes(key) : shown.includes(key));
  return Object.fromEntries(Object.entries(found.metadata).filter(([key]) => keep(key)));
}

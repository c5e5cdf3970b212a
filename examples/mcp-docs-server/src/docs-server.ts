import { formatDocument } from '@vernal/core';
import { etl } from '@vernal/etl';
import { describeMcpTool, type McpServer, mcpPrompt, mcpResource, mcpServer, vectorStoreTool } from '@vernal/mcp';
import { LocalEmbeddingModel } from '@vernal/model-local';
import { TokenTextSplitter } from '@vernal/tokenizer';
import { SimpleVectorStore } from '@vernal/vector-store';
import { z } from 'zod';
import { type Page, pagesOf, sectionsOf, textOf } from './pages.js';

/** Short enough that a question finds its passage and not a whole page. */
const PASSAGE_TOKENS = 220;

/** The documentation as an MCP server. Closing it leaves nothing open. */
export async function docsServer(docs: URL): Promise<McpServer> {
  const pages = await pagesOf(docs);
  const store = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
  const splitter = new TokenTextSplitter({ chunkSize: PASSAGE_TOKENS });
  for (const page of pages.values()) await etl(sectionsOf(page)).transform(splitter).write(store);

  const search = vectorStoreTool(store, {
    name: 'search_docs',
    description: 'Searches the documentation of Vernal; gives passages with the page that each stands on',
    mode: 'hybrid',
    topK: 5,
    metadata: ['page', 'title'],
  });
  const namesLike = ({ value }: { readonly value: string }): string[] =>
    [...pages.keys()].filter((name) => name.includes(value));

  return mcpServer({
    name: 'vernal-docs',
    title: 'The documentation of Vernal',
    instructions: 'Search first, then read the page that a passage stands on. Name the page of what you say.',
    tools: [describeMcpTool(search, { annotations: { readOnlyHint: true, openWorldHint: false } })],
    resources: [() => [...pages.values()].map(pageResource)],
    prompts: [
      mcpPrompt({
        name: 'explain',
        description: 'Explains something by what the documentation says of it',
        input: z.object({ topic: z.string().min(1) }),
        render: async ({ topic }, { signal }) => {
          const found = await store.similaritySearch({ query: topic, topK: 5, mode: 'hybrid' }, { signal });
          const passages = found.map((one) => formatDocument(one, 'inference')).join('\n\n');
          return `Explain ${topic} to a programmer who is new to Vernal, by these passages only:\n\n${passages}`;
        },
      }),
      mcpPrompt({
        name: 'summarize',
        description: 'Sums up a page',
        input: z.object({ page: z.enum([...pages.keys()]) }),
        complete: { page: namesLike },
        render: async ({ page }) => {
          const found = pages.get(page);
          return `Sum up this page in five sentences:\n\n${found === undefined ? '' : await textOf(found)}`;
        },
      }),
    ],
  });
}

function pageResource({ name, mimeType, file }: Page): ReturnType<typeof mcpResource> {
  return mcpResource({ uri: `docs://vernal/${name}`, name, mimeType, read: () => file });
}

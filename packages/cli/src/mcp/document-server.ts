import { describeMcpTool, type McpServer, mcpServer, vectorStoreTool } from '@vernal/mcp';
import type { SimpleVectorStore } from '@vernal/vector-store';
import { PASSAGES } from '../retrieval/retrieval.js';
import { version } from '../version.js';
import { storedDocuments } from './stored-documents.js';

/** An MCP server with a tool that searches the store, and the documents in it as resources. `about`: what they are about, in words. */
export async function documentServer(store: SimpleVectorStore, about: string | undefined): Promise<McpServer> {
  const subject = about === undefined ? '' : ` They are about: ${about}`;
  const search = vectorStoreTool(store, {
    name: 'search',
    description: `Searches documents by meaning and by words. Gives the passages that fit best, and where they stand.${subject}`,
    mode: 'hybrid',
    topK: PASSAGES,
    metadata: ['source', 'title', 'page_number'],
  });
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return mcpServer({
    name: 'vernal',
    title: about ?? 'Documents',
    version: await version(),
    instructions: `Passages of documents: search them, and name the source of what you say.${subject}`,
    tools: [describeMcpTool(search, { title: 'Search the documents', annotations })],
    resources: [storedDocuments(store)],
  });
}

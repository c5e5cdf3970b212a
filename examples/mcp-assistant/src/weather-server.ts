import { type McpServer, mcpServer, mcpTool } from '@vernal/mcp';
import { z } from 'zod';

const KNOTS: Readonly<Record<string, number>> = { Skerry: 12, Westray: 31 };

export function weatherServer(): McpServer {
  const wind = mcpTool({
    name: 'wind',
    description: 'The wind at a place tomorrow, in knots',
    input: z.object({ place: z.string() }),
    output: z.object({ knots: z.number() }),
    annotations: { readOnlyHint: true },
    execute: ({ place }) => ({ knots: KNOTS[place] ?? 0 }),
  });
  return mcpServer({ name: 'weather', tools: [wind] });
}

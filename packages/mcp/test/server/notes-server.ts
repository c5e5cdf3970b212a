import { Tool, tool } from '@vernal/core';
import {
  McpComplete,
  type McpCompletionInput,
  McpPrompt,
  McpResource,
  McpTool,
  type McpToolContext,
  mcpResource,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { z } from 'zod';

/** Every kind of decorated method on one object. */
export class Notes {
  readonly #texts = new Map([
    ['shopping/1', 'Milk'],
    ['shopping/2', 'Bread & butter'],
  ]);

  @McpTool({
    title: 'Count notes',
    input: z.object({ folder: z.string() }),
    output: z.object({ count: z.number().int() }),
    annotations: { readOnlyHint: true },
  })
  countNotes({ folder }: { folder: string }, { progress }: McpToolContext): { count: number } {
    progress({ progress: 1, total: 2, message: 'counting' });
    const count = [...this.#texts.keys()].filter((key) => key.startsWith(`${folder}/`)).length;
    progress({ progress: 2, total: 2 });
    return { count };
  }

  @Tool({ description: 'Adds a note', input: z.object({ folder: z.string(), text: z.string() }) })
  addNote({ folder, text }: { folder: string; text: string }): string {
    this.#texts.set(`${folder}/${this.#texts.size + 1}`, text);
    return 'Added';
  }

  @McpResource({
    uri: 'notes://{folder}/{id}',
    name: 'note',
    mimeType: 'text/plain',
    input: z.object({ folder: z.string(), id: z.coerce.number().int() }),
    list: () => [{ uri: 'notes://shopping/1', name: 'First of the shopping' }],
  })
  note({ folder, id }: { folder: string; id: number }): string {
    const text = this.#texts.get(`${folder}/${id}`);
    if (text === undefined) throw new Error('No such note at /var/secret/notes');
    return text;
  }

  @McpPrompt({
    description: 'Sums up a folder',
    input: z.object({ folder: z.string().describe('Which folder'), lines: z.number().optional() }),
  })
  summary({ folder, lines }: { folder: string; lines?: number | undefined }): string {
    return `Sum up ${folder} in ${(lines ?? 1) + 1} lines.`;
  }

  @McpComplete({ prompt: 'summary', argument: 'folder' })
  folders({ value }: McpCompletionInput): string[] {
    return ['shopping', 'shoes', 'work'].filter((name) => name.startsWith(value));
  }
}

/** A server with something of everything, a plain tool and one that fails among them. */
export function notesServer(): ReturnType<typeof mcpServer> {
  return mcpServer({
    name: 'notes',
    version: '2.1.0',
    instructions: 'Keep it short.',
    components: [new Notes()],
    tools: [
      tool({
        name: 'echo',
        description: 'Says it again',
        input: z.object({ text: z.string() }),
        execute: ({ text }) => text,
      }),
      tool({
        name: 'fail',
        execute: () => {
          throw new TypeError('password=hunter2');
        },
      }),
      mcpTool({
        name: 'deploy',
        input: z.object({ to: z.string() }),
        execute: async ({ to }, { exchange }) => {
          const answer = await exchange.elicit(z.object({ sure: z.boolean() }), { message: `Deploy to ${to}?` });
          if (answer.action !== 'accept' || !answer.content.sure) return 'Not deployed';
          const reason = await exchange.sample('Why?');
          const said = 'text' in reason.content ? reason.content.text : '?';
          const roots = await exchange.roots();
          return `Deployed to ${to}: ${said} (${roots.map((root) => root.uri).join()})`;
        },
      }),
      mcpTool({
        name: 'talk',
        execute: async (_, { exchange }) => {
          await exchange.info({ step: 1 }, 'talker');
          await exchange.debug('too low to be told');
          return { content: [{ type: 'text', text: 'told' }], _meta: { kept: true } };
        },
      }),
    ],
    resources: [
      mcpResource({ uri: 'config://app', name: 'config', read: () => ({ theme: 'dark' }) }),
      mcpResource({ uri: 'gone://it', read: () => undefined }),
      mcpResource({ uri: 'logo://app', mimeType: 'image/png', read: () => new Uint8Array([137, 80, 78, 71]) }),
    ],
  });
}

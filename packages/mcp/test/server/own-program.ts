import { mcpPrompt, mcpResource, mcpServer, mcpTool } from '@vernal/mcp';
import { serveMcpHttp, serveMcpStdio } from '@vernal/mcp/node';
import { z } from 'zod';

/** A server in a process of its own: `stdio`, or `http <port>`, which prints its address. */
const server = mcpServer({
  name: 'own-program',
  tools: [
    mcpTool({
      name: 'add',
      input: z.object({ a: z.number(), b: z.number() }),
      output: z.object({ sum: z.number() }),
      execute: ({ a, b }) => ({ sum: a + b }),
    }),
    mcpTool({
      name: 'wait',
      execute: async (_, { signal, exchange }) => {
        await exchange.progress(1);
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    }),
    mcpTool({ name: 'pid', execute: () => String(process.pid) }),
  ],
  resources: [mcpResource({ uri: 'own://text', description: 'A text', read: () => 'read' })],
  prompts: [
    mcpPrompt({ name: 'hello', input: z.object({ name: z.string() }), render: ({ name }) => `Say hello to ${name}.` }),
  ],
});

const [kind, port] = process.argv.slice(2);
if (kind === 'http') {
  const listening = await serveMcpHttp(server, { port: Number(port) });
  process.stdout.write(`${listening.url.href}\n`);
} else {
  serveMcpStdio(server);
}

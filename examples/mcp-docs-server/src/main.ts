import { serveMcpHttp, serveMcpStdio } from '@vernal/mcp/node';
import { docsServer } from './docs-server.js';

const [way = 'stdio', port = '0'] = process.argv.slice(2);
const server = await docsServer(new URL('../../../docs/', import.meta.url));
if (way === 'http') {
  const listening = await serveMcpHttp(server, { port: Number(port) });
  console.log(`Serving at ${listening.url.href}; Ctrl-C ends it`);
  process.once('SIGINT', () => void listening.close());
} else {
  serveMcpStdio(server);
}

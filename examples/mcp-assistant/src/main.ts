import { fileURLToPath } from 'node:url';
import { McpConnections } from '@vernal/mcp';
import { readMcpServers, serveMcpHttp, serveMcpStdio } from '@vernal/mcp/node';
import { assistant } from './assistant.js';
import { calendarServer } from './calendar-server.js';
import { startWeather } from './weather-process.js';
import { weatherServer } from './weather-server.js';

const main = fileURLToPath(import.meta.url);
const here = fileURLToPath(new URL('..', import.meta.url));

async function ask(): Promise<void> {
  await using weather = await startWeather(main);
  const servers = await readMcpServers(new URL('../servers.json', import.meta.url), {
    variables: {
      NODE: process.execPath,
      VERNAL: fileURLToPath(new URL('main.js', import.meta.resolve('@vernal/cli'))),
      HERE: here,
      MAIN: main,
      WEATHER_URL: weather.url,
    },
    stderr: 'inherit',
  });
  await using connections = new McpConnections(servers);
  for (const { name, error } of await connections.connect()) console.error(`Without ${name}: ${error.message}`);
  for (const connection of connections) {
    const tools = await connection.listTools();
    console.log(
      `${connection.name} over ${servers[connection.name]?.kind}: ${tools.map(({ name }) => name).join(', ')}`,
    );
  }
  const client = assistant(connections, (tool) => {
    console.log(`Asked about ${tool}: yes`);
    return true;
  });
  console.log(await client.prompt('Can we row to Skerry on the first of May? If so, note it.').call().content());
}

/** Ends with its input. */
async function serveWeather(): Promise<void> {
  const listening = await serveMcpHttp(weatherServer());
  console.log(listening.url.href);
  for await (const _ of process.stdin);
  await listening.close();
}

const [role] = process.argv.slice(2);
if (role === 'calendar') serveMcpStdio(calendarServer());
else if (role === 'weather') await serveWeather();
else await ask();

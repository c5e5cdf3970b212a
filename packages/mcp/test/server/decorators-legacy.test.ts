import { McpComplete, McpPrompt, McpResource, McpTool, mcpServer } from '@vernal/mcp';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectClient, handlerOf } from './connect-client.js';

/** A class as a NestJS application writes it, compiled with the legacy dialect. */
const source = `
class Weather {
  constructor(unit) { this.unit = unit; }

  @McpTool({ description: 'Weather in a place', input: z.object({ city: z.string() }), annotations: { readOnlyHint: true } })
  async weather({ city }, { exchange }) { return city + ': 20 ' + this.unit + ' for ' + exchange.clientInfo.name; }

  @McpTool({ name: 'unit' })
  static unitOf() { return 'a unit of ' + this.name; }

  @McpResource({ uri: 'weather://{city}' })
  report({ city }, { uri }) { return { city, uri, unit: this.unit }; }

  @McpPrompt({ input: z.object({ city: z.string() }) })
  ask({ city }) { return 'How is ' + city + '?'; }

  @McpComplete({ uri: 'weather://{city}', argument: 'city' })
  cities({ value }) { return ['Delft', 'Delhi', 'Bonn'].filter((name) => name.startsWith(value)); }
}
class Forecast extends Weather {
  ask({ city }) { return 'Will it rain in ' + city + '?'; }
}
export { Weather, Forecast };
`;

interface WeatherClass {
  new (unit: string): object;
}

function compileLegacy(): { readonly Weather: WeatherClass; readonly Forecast: WeatherClass } {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const module = { exports: {} as { Weather: WeatherClass; Forecast: WeatherClass } };
  new Function('exports', 'McpTool', 'McpResource', 'McpPrompt', 'McpComplete', 'z', outputText)(
    module.exports,
    ...[McpTool, McpResource, McpPrompt, McpComplete, z],
  );
  return module.exports;
}

describe('decorators under experimentalDecorators', () => {
  it('serve instances, classes and what is overridden', async () => {
    const { Weather, Forecast } = compileLegacy();
    const server = mcpServer({ components: [new Forecast('°C'), Weather] });
    const client = await connectClient(handlerOf(server), 'legacy');
    expect(await client.callTool({ name: 'weather', arguments: { city: 'Delft' } })).toMatchObject({
      content: [{ text: 'Delft: 20 °C for test-client' }],
    });
    expect(await client.callTool({ name: 'unit' })).toMatchObject({ content: [{ text: 'a unit of Weather' }] });
    expect(await client.readResource({ uri: 'weather://New%20York' })).toMatchObject({
      contents: [{ text: '{"city":"New York","uri":"weather://New%20York","unit":"°C"}' }],
    });
    expect(await client.getPrompt({ name: 'ask', arguments: { city: 'Bonn' } })).toMatchObject({
      messages: [{ content: { text: 'Will it rain in Bonn?' } }],
    });
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'weather://{city}' },
      argument: { name: 'city', value: 'Del' },
    });
    expect(completion.values).toEqual(['Delft', 'Delhi']);
    await client.close();
    await server.close();
  });

  it('refuse what is no method', () => {
    for (const decorator of [McpTool({}), McpPrompt({}), McpResource({ uri: 'a:b' }), McpComplete({ prompt: 'p' })])
      expect(() => Reflect.apply(decorator, undefined, [class {}])).toThrow(/decorates methods only/);
  });
});

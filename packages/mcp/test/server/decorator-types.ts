import {
  McpComplete,
  type McpCompletionInput,
  McpPrompt,
  McpResource,
  type McpResourceContext,
  McpTool,
  type McpToolContext,
} from '@vernal/mcp';
import { z } from 'zod';

const City = z.object({ city: z.string(), days: z.number().default(3) });
const Report = z.object({ degrees: z.number() });

/** What the compiler takes and refuses, in the dialect that this file is compiled with. */
export class Typed {
  @McpTool({ input: City, output: Report })
  report({ city, days }: { city: string; days: number }, context: McpToolContext): { degrees: number } {
    context.progress(50);
    return { degrees: city.length + days + context.toolCallId.length };
  }

  @McpTool({ input: City })
  async wider(input: { city: string }): Promise<string> {
    return input.city;
  }

  @McpTool({})
  none(): string {
    return 'none';
  }

  // @ts-expect-error the schema says that city is a text
  @McpTool({ input: City })
  wrongInput({ city }: { city: number }): number {
    return city;
  }

  // @ts-expect-error the output schema wants degrees
  @McpTool({ input: City, output: Report })
  wrongOutput(): { fahrenheit: number } {
    return { fahrenheit: 1 };
  }

  // @ts-expect-error there is no such field in the context
  @McpTool({})
  wrongContext(_: object, context: { nothing: string }): string {
    return context.nothing;
  }

  @McpResource({ uri: 'weather://{city}' })
  resource({ city }: Readonly<Record<string, string>>, { uri, exchange }: McpResourceContext): string {
    return `${city}${uri}${exchange.requestId}`;
  }

  @McpResource({ uri: 'weather://{city}/{days}', input: z.object({ city: z.string(), days: z.coerce.number() }) })
  typedResource({ days }: { days: number }): Uint8Array {
    return new Uint8Array(days);
  }

  // @ts-expect-error variables without a schema are texts
  @McpResource({ uri: 'weather://{days}' })
  wrongResource({ days }: { days: number }): string {
    return String(days);
  }

  @McpPrompt({ input: City })
  prompt({ city }: { city: string }): string {
    return city;
  }

  // @ts-expect-error a prompt does not give a number
  @McpPrompt({ input: City })
  wrongPrompt(): number {
    return 1;
  }

  @McpComplete({ prompt: 'prompt', argument: 'city' })
  complete({ value }: McpCompletionInput): string[] {
    return [value];
  }

  // @ts-expect-error one of the two
  @McpComplete({ prompt: 'prompt', uri: 'weather://{city}' })
  both(): string[] {
    return [];
  }

  // @ts-expect-error a list of texts
  @McpComplete({ prompt: 'prompt' })
  wrongComplete(): number[] {
    return [];
  }
}

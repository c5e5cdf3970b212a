// Stage-3 decorators: what type-checks, and what must not. The legacy dialect is in types/legacy.
import {
  McpElicitation,
  McpLogging,
  McpProgress,
  McpSampling,
  type McpSamplingRequest,
  type McpToolDescription,
  McpToolListChanged,
} from '@vernal/mcp';

export class Right {
  @McpLogging()
  log({ level }: { level: string }): string {
    return level;
  }

  @McpSampling()
  sample({ maxTokens }: McpSamplingRequest) {
    return { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: `${maxTokens}` } };
  }

  @McpProgress()
  progress({ progress }: { progress: number }, { tool }: { readonly tool: string }): string {
    return `${tool} ${progress}`;
  }

  @McpToolListChanged()
  #tools(tools: readonly McpToolDescription[]): number {
    return tools.length;
  }

  count(tools: readonly McpToolDescription[]): number {
    return this.#tools(tools);
  }
}

export class Wrong {
  // @ts-expect-error 'yes' is no answer
  @McpElicitation()
  elicit(): string {
    return 'yes';
  }

  // @ts-expect-error tools are a list
  @McpToolListChanged()
  tools(tools: McpToolDescription): string {
    return tools.name;
  }

  // @ts-expect-error there is no such field among what handlers get
  @McpLogging()
  log(_: unknown, { session }: { session: string }): string {
    return session;
  }
}

// Handlers as a NestJS provider has them: legacy decorators, emitted metadata. Its own tsconfig.

import {
  McpConnection,
  McpElicitation,
  type McpElicitationAnswer,
  type McpElicitationRequest,
  type McpHandlerContext,
  McpLogging,
  McpProgress,
  type McpProgressUpdate,
  McpPromptListChanged,
  McpResourceListChanged,
  McpSampling,
  type McpSamplingAnswer,
  type McpSamplingRequest,
  type McpToolDescription,
  McpToolListChanged,
  streamableHttpTransport,
} from '@vernal/mcp';

// What @nestjs/common declares.
declare function Injectable(): ClassDecorator;

@Injectable()
export class Handlers {
  readonly heard: string[] = [];

  @McpLogging({ clients: ['docs'] })
  log({ level }: { level: string }, { connection }: McpHandlerContext): void {
    this.heard.push(`${connection} ${level}`);
  }

  @McpSampling({ tools: true })
  async sample(request: McpSamplingRequest): Promise<McpSamplingAnswer> {
    return { role: 'assistant', model: 'none', content: { type: 'text', text: String(request.maxTokens) } };
  }

  @McpElicitation({ url: true })
  elicit(request: McpElicitationRequest): McpElicitationAnswer {
    return { action: request.message === '' ? 'cancel' : 'decline' };
  }

  @McpProgress()
  progress({ progress }: McpProgressUpdate, { tool }: McpHandlerContext & { readonly tool: string }): void {
    this.heard.push(`${tool} ${progress}`);
  }

  @McpToolListChanged()
  tools(tools: readonly McpToolDescription[]): void {
    this.heard.push(`${tools.length} tools`);
  }

  @McpResourceListChanged({ clients: 'docs' })
  @McpPromptListChanged()
  lists(items: readonly { readonly name: string }[]): void {
    this.heard.push(`${items.length} entries`);
  }
}

export const connection: McpConnection = new McpConnection({
  name: 'docs',
  transport: streamableHttpTransport('https://example.com/mcp'),
  handlers: new Handlers(),
});

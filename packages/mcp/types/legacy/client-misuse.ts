// What must not type-check under legacy decorators.

import { McpLogging, McpSampling } from '@vernal/mcp';

export class Wrong {
  readonly heard: string[] = [];

  // @ts-expect-error a number is no answer
  @McpSampling()
  wrongAnswer(): number {
    return 7;
  }

  // @ts-expect-error the log is no number
  @McpLogging()
  wrongRequest(line: number): void {
    this.heard.push(String(line));
  }

  // @ts-expect-error there is no such option
  @McpLogging({ client: 'docs' })
  wrongOption(): void {}
}

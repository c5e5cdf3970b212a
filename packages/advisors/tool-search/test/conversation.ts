import { ToolSearchToolCallingAdvisor, type ToolSearchToolCallingAdvisorOptions } from '@vernal/advisors-tool-search';
import {
  type AnyAdvisor,
  ChatClient,
  type ChatClientRequestSpec,
  type ChatClientResponse,
  foldClient,
} from '@vernal/client-chat';
import { type Prompt, type ToolCallback, tool } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';

export type Mode = 'call' | 'stream';
export const MODES: readonly Mode[] = ['call', 'stream'];

/** The whole response, whichever way it comes. */
export function ask(spec: ChatClientRequestSpec, mode: Mode): Promise<ChatClientResponse> {
  return mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
}

/** Tools that answer with their own names, and the names of those that ran. */
export class Toolbox {
  readonly ran: string[] = [];
  readonly tools: readonly ToolCallback[];

  constructor(descriptions: Readonly<Record<string, string>>) {
    this.tools = Object.entries(descriptions).map(([name, description]) =>
      tool({
        name,
        description,
        execute: () => {
          this.ran.push(name);
          return `${name} ran`;
        },
      }),
    );
  }
}

export const OFFICE = {
  sendEmail: 'Sends an email message',
  bookHotel: 'Books a hotel room',
  searchFlights: 'Finds flights between airports',
  currentTime: 'The time of day',
};

export function search(query: string, more: Readonly<Record<string, string | number>> = {}): ScriptStep {
  return { toolCalls: [{ name: 'toolSearchTool', arguments: { query, ...more } }] };
}

export function use(...names: readonly string[]): ScriptStep {
  return { toolCalls: names.map((name) => ({ name, arguments: {} })) };
}

export function namesOf(prompt: Prompt | undefined): string[] {
  return (prompt?.options.tools ?? []).map(({ definition }) => definition.name);
}

/** What the tools answered before this prompt was sent, newest message only. */
export function answersIn(prompt: Prompt | undefined): string[] {
  const last = prompt?.messages.findLast((message) => message.type === 'tool');
  return last?.type === 'tool' ? last.responses.map(({ result }) => result) : [];
}

export interface Office {
  readonly box: Toolbox;
  readonly model: ScriptedChatModel;
  readonly client: ChatClient;
  readonly offered: () => string[][];
}

/** A client over a script, with the advisor and the tools of an office. */
export function office(
  steps: readonly ScriptStep[],
  options: ToolSearchToolCallingAdvisorOptions = {},
  more: readonly AnyAdvisor[] = [],
  descriptions: Readonly<Record<string, string>> = OFFICE,
): Office {
  const box = new Toolbox(descriptions);
  const model = new ScriptedChatModel(steps);
  const client = ChatClient.builder(model)
    .defaultTools(box.tools)
    .defaultAdvisors(new ToolSearchToolCallingAdvisor(options), ...more)
    .build();
  return { box, model, client, offered: () => model.prompts.map(namesOf) };
}

import { ChatClient, ToolCallingAdvisor } from '@vernal/client-chat';
import { type Prompt, ToolCallingManager } from '@vernal/core';
import { approveByAnnotations, type McpConnections, mcpTools } from '@vernal/mcp';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';

const DAY = '2026-05-01';

/** What the tools answered so far, by their names. */
function results({ messages }: Prompt): Readonly<Record<string, string>> {
  const responses = messages.flatMap((one) => (one.type === 'tool' ? one.responses : []));
  return Object.fromEntries(responses.map(({ name, result }) => [name, result]));
}

/** What a model would do: it knows nothing but what the servers answer. */
const script: readonly ScriptStep[] = [
  {
    toolCalls: [
      { name: 'handbook_search', arguments: { query: 'In which wind may rowing boats go to Skerry?', topK: 1 } },
      { name: 'weather_wind', arguments: { place: 'Skerry' } },
    ],
  },
  (prompt) => {
    const { handbook_search: rule = '', weather_wind: weather = '' } = results(prompt);
    const most = Number(/up to (\d+) knots/.exec(rule)?.[1]);
    const { knots } = JSON.parse(weather) as { knots: number };
    if (knots > most) return `Stay ashore: ${knots} knots, and the handbook allows ${most}.`;
    return { toolCalls: [{ name: 'calendar_add', arguments: { title: 'Rowing to Skerry', day: DAY } }] };
  },
  { toolCalls: [{ name: 'calendar_list', arguments: { day: DAY } }] },
  (prompt) => {
    const { weather_wind: weather = '', calendar_add: added, calendar_list: trips } = results(prompt);
    const { knots } = JSON.parse(weather) as { knots: number };
    return `Yes: ${knots} knots of wind. In the calendar is ${trips}, ${added}.`;
  },
];

/** A client with the tools of all servers. What only reads runs; `asked` hears of the rest, and decides. */
export function assistant(servers: McpConnections, asked: (tool: string) => boolean): ChatClient {
  const approve = approveByAnnotations({
    trust: 'all',
    ask: ({ name }) => (asked(name) ? { type: 'approve' } : { type: 'deny', reason: 'The user said no.' }),
  });
  const toolCallingAdvisor = new ToolCallingAdvisor({ manager: new ToolCallingManager({ approve }) });
  return ChatClient.builder(new ScriptedChatModel(script), { toolCallingAdvisor })
    .defaultTools(mcpTools(servers))
    .build();
}

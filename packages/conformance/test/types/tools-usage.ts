// What users of tools write. It compiles, and that is the test; nothing here runs.
import { ChatClient, ToolCallingAdvisor, withRequest } from '@vernal/client-chat';
import type { CallAdvisor } from '@vernal/client-chat';
import { Prompt, Tool, ToolCallingManager, addUsage, augmentTools, callText, chatResponse, formatDocument, hasToolCalls, jsonSchema, messageText, responseText, tool, toolsFrom, withJsonSchema, withTools } from '@vernal/core';
import type { ApprovalDecision, PendingApproval, ToolCallback, ToolContext, Usage } from '@vernal/core';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { model, vectorStore, logger, write } from './samples.js';

// 9. Tools: typed by a schema; without input; returnDirect and a result of one's own; context that the model never sees.
const weather = tool({
  name: 'currentWeather',
  description: 'Current weather in a place',
  input: z.object({ location: z.string(), unit: z.enum(['c', 'f']).default('c') }),
  execute: async ({ location, unit }, { signal, values }) => {
    const reply = await fetch(`https://weather.example/${location}?u=${unit}&t=${String(values['tenant'])}`, { signal });
    return (await reply.json()) as { degrees: number };
  },
  convertResult: (result) => `${result.degrees} degrees`,
});
const now = tool({ name: 'now', description: 'The time', returnDirect: true, execute: () => new Date() });
const search = tool({ name: 'search', input: jsonSchema<{ q: string }>({ type: 'object' }), execute: ({ q }) => [q] });
const stops = tool({ name: 'stops', input: toStandardJsonSchema(v.object({ line: v.number() })), execute: ({ line }) => line + 1 });
const stopsByHand = tool({ name: 'stops2', input: withJsonSchema(v.object({ line: v.number() }), { type: 'object' }), execute: ({ line }) => line + 1 });
export async function tools(): Promise<void> {
  const client = ChatClient.builder(model).defaultTools(weather, now).defaultToolContext({ tenant: 'acme' }).build();
  await client.prompt('Weather in Delft?').addTools(search, [stops, stopsByHand]).toolContext({ user: 7 }).call().content();
  await client.prompt('Only search').tools(search).toolNames('fromResolver').call().content();
}

// 10. Decorated methods, stage 3: instance, static and private.
class DateTimeTools {
  @Tool({ description: 'The current date and time' })
  currentDateTime(): string { return new Date().toISOString(); }

  @Tool({ description: 'Sets an alarm', input: z.object({ time: z.string() }), name: 'setAlarm' })
  async alarm(input: { time: string }, context: ToolContext): Promise<void> { write(`${input.time} ${context.toolCallId} ${this.zone}`); }

  @Tool({ description: 'The zone', returnDirect: true, convertResult: (result) => String(result) })
  static defaultZone(): string { return 'UTC'; }

  @Tool({ description: 'Secret', input: z.object({ n: z.number() }) })
  #twice({ n }: { n: number }): number { return n * 2; }

  zone = 'UTC';
  self(): number { return this.#twice({ n: 1 }); }
}
export const decorated = () => ChatClient.create(model).prompt('When?').tools(new DateTimeTools(), toolsFrom(DateTimeTools)).call().content();

// 11. The loop in one's own hands.
export async function ownLoop(): Promise<string> {
  const manager = new ToolCallingManager({ throwOnError: false, limits: { perTool: 5, total: 20, onExceeded: 'answer' }, timeoutMs: 10_000, maxConcurrency: 4 });
  let prompt = new Prompt('Weather in Delft?', { tools: [weather], toolContext: { tenant: 'acme' } });
  let response = await model.call(prompt);
  let usage: Usage = response.metadata.usage;
  while (hasToolCalls(response)) {
    const step = await manager.executeToolCalls(prompt, response);
    if (step.returnDirect) return step.conversationHistory.map(messageText).at(-1) ?? '';
    prompt = prompt.withMessages(step.conversationHistory);
    response = await model.call(prompt);
    usage = addUsage(usage, response.metadata.usage);
  }
  return `${responseText(response)} ${usage.rounds?.length ?? 1}`;
}
export const modelWithTools = () => callText(withTools(model), new Prompt('Weather?', { tools: [weather] }));

// 12. Approval: ask at once, or stop and go on in another process.
export async function approval(save: (pending: PendingApproval) => Promise<void>, key: Uint8Array): Promise<string> {
  const manager = new ToolCallingManager({
    approvalKey: key,
    approve: (call, context): ApprovalDecision => (call.name === 'pay' ? { type: 'defer' } : context.values['trusted'] === true ? { type: 'approve' } : { type: 'deny', reason: 'ask a person' }),
  });
  const client = ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager, maxRounds: 8 }) }).defaultTools(weather).build();
  const response = await client.prompt('Pay the bill').call().chatClientResponse();
  if (response.pendingApproval === undefined) return responseText(response.chatResponse ?? chatResponse([]));
  await save(response.pendingApproval);
  const again = JSON.parse(JSON.stringify(response.pendingApproval)) as PendingApproval;
  return client.resume(again, { [again.calls[0]?.id ?? '']: { type: 'approve' } }).call().content();
}

// 13. Capture the model's reasoning with each tool call.
export const augmented: ToolCallback[] = augmentTools([weather, now], {
  input: z.object({ innerThought: z.string(), confidence: z.enum(['low', 'high']) }),
  onArguments: (event) => logger.info(event.definition.name, { thought: event.arguments.innerThought, confidence: event.arguments.confidence }),
});

// 31. Signal and parent observation travel as one value: a request and a tool's context are call contexts.
export const lookUp: CallAdvisor = {
  name: 'look-up', order: 0, scope: 'turn',
  async adviseCall(request, chain) {
    const found = await vectorStore.similaritySearch(request.prompt.userMessage.text, request);
    return chain.nextCall(withRequest(request, { prompt: request.prompt.augmentSystemMessage(found.map((d) => formatDocument(d, 'inference')).join('\n')) }));
  },
};
export const searchTool = tool({ name: 'searchDocs', input: z.object({ q: z.string() }), execute: ({ q }, context) => vectorStore.similaritySearch(q, context) });

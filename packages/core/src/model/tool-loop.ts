import { throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import type { Message } from '../messages/message.js';
import { assistantMessage } from '../messages/message-factories.js';
import type { ResolvedChatOptions } from '../options/chat-options.js';
import { Prompt } from '../prompt/prompt.js';
import { type ChatResponse, callsTools, chatResponse, hasToolCalls } from '../responses/chat-response.js';
import { ResponseAccumulator } from '../responses/response-accumulator.js';
import { addUsage, NO_USAGE, type Usage } from '../responses/usage.js';
import type { ToolCallingManager, ToolExecutionResult } from '../tools/tool-calling-manager.js';
import { limitResponse, runToolRound } from '../tools/tool-round.js';
import { RoundChunks } from './round-chunks.js';

export interface ToolLoop {
  readonly manager: ToolCallingManager;
  /** Model calls; the tools of the last one still run. */
  readonly maxRounds: number;
  /** One model call, whole or in chunks. */
  readonly ask: (prompt: Prompt) => AsyncIterable<ChatResponse>;
}

/** Asks the model and runs its tools until it is done; the one loop behind `call` and `stream`. */
export async function* toolLoop(
  { manager, maxRounds, ask }: ToolLoop,
  start: Prompt,
  options: ResolvedChatOptions,
  context: CallContext | undefined,
): AsyncGenerator<ChatResponse, void, undefined> {
  let prompt = await offerTools(manager, start, options);
  let usage = NO_USAGE;
  let reasoningParts = 0;
  for (let round = 1; ; round++) {
    throwIfAborted(context?.signal);
    const accumulator = new ResponseAccumulator();
    const chunks = new RoundChunks(usage, reasoningParts);
    for await (const chunk of ask(prompt)) {
      accumulator.add(chunk);
      const shown = chunks.show(chunk);
      if (shown !== undefined) yield shown;
    }
    const response = accumulator.result();
    if (!callsTools(response)) {
      if (hasToolCalls(response)) yield withUnrunCalls(response, usage);
      return;
    }
    usage = addUsage(usage, response.metadata.usage);
    reasoningParts += Math.max(...response.results.map(({ output }) => output.reasoning.length));
    if (chunks.heldBack) yield { results: [], result: undefined, metadata: { ...response.metadata, usage } };
    const outcome = await runToolRound(manager, prompt, response, context);
    switch (outcome.type) {
      case 'continue':
        prompt = outcome.prompt;
        if (round < maxRounds) break;
        yield ended(
          limitResponse(`Stopped after ${maxRounds} rounds of tools, the limit of a turn.`),
          prompt.messages,
          usage,
        );
        return;
      case 'cancelled':
        throwIfAborted(context?.signal);
        return;
      case 'finish':
        yield ended(outcome.response, outcome.messages, usage);
        return;
      case 'pending':
        yield await waiting(manager, outcome.result, usage);
        return;
    }
  }
}

/** What the model's defaults and the resolver add becomes part of the prompt, where model and manager both find it. */
async function offerTools(manager: ToolCallingManager, prompt: Prompt, options: ResolvedChatOptions): Promise<Prompt> {
  const tools = await manager.resolveTools(options);
  const { toolContext } = options;
  const named = options.toolNames !== undefined && options.toolNames.length > 0;
  const asGiven = !named && options.tools === prompt.options.tools && toolContext === prompt.options.toolContext;
  if (asGiven) return prompt;
  return new Prompt(prompt.messages, { ...prompt.options, tools, toolNames: null, toolContext });
}

/** What was held back of an answer whose calls are not run: they and the reason are for the caller to see. */
function withUnrunCalls({ results, metadata }: ChatResponse, usageBefore: Usage): ChatResponse {
  return chatResponse(
    results.map(({ index, output, metadata: ending }) => ({
      index,
      output: assistantMessage({ toolCalls: output.toolCalls }),
      metadata: ending,
    })),
    { ...metadata, usage: addUsage(usageBefore, metadata.usage) },
  );
}

function ended({ results, result }: ChatResponse, messages: readonly Message[], usage: Usage): ChatResponse {
  return { results, result, metadata: { usage, conversationHistory: messages } };
}

async function waiting(manager: ToolCallingManager, result: ToolExecutionResult, usage: Usage): Promise<ChatResponse> {
  const pendingApproval = await manager.suspend(result);
  return chatResponse([{ output: assistantMessage(), metadata: { finishReason: 'approval' } }], {
    usage,
    pendingApproval,
  });
}

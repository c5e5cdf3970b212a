import type {
  ChatResponse,
  JsonValue,
  Message,
  Prompt,
  ToolCallingManager,
  ToolExecutionResult,
  ToolRoundOutcome,
  Usage,
} from '@vernal/core';
import {
  addUsage,
  assistantMessage,
  chatResponse,
  decodeMessage,
  fold,
  hasToolCalls,
  resumeToolRound,
  runToolRound,
} from '@vernal/core';
import type { AdvisorChain, CallAdvisorChain, StreamAdvisorChain } from '../advisors/advisor.js';
import { type ChatClientRequest, type ChatClientResponse, withRequest } from '../advisors/advisor-request.js';
import type { ToolCallingAdvisorOptions } from '../advisors/tool-calling-advisor.js';
import { abortError } from './abort.js';
import type { Inward } from './advice.js';
import { jsonEntries } from './json-entries.js';
import { type Resumption, takeResumption } from './resumption.js';
import { numberedOn, RoundFilter } from './round-filter.js';
import { turnLogOf } from './turn-log.js';
import { newMessages, turnStart } from './turn-messages.js';

export interface ToolLoopOptions extends Pick<ToolCallingAdvisorOptions, 'eligible' | 'beforeRound' | 'afterRound'> {
  readonly maxRounds: number;
  managerOf(chain: AdvisorChain): ToolCallingManager;
  /** Only asked when there is a second round. */
  internalHistory(chain: CallAdvisorChain | StreamAdvisorChain): boolean;
}

/** Asks, runs the tools that the answer calls, asks again, until an answer calls none. The same for call and stream. */
export async function runToolLoop(
  request: ChatClientRequest,
  inward: Inward,
  options: ToolLoopOptions,
  chain: CallAdvisorChain | StreamAdvisorChain,
): Promise<ChatClientResponse> {
  const resumed = takeResumption(request.context);
  if (resumed !== undefined) {
    const loop = new ToolLoop({ ...request, context: resumed.context }, inward, options, chain);
    return (await loop.resume(resumed.resumption)) ?? loop.run();
  }
  const { toolNames } = request.prompt.options;
  const named = toolNames !== undefined && toolNames !== null && toolNames.length > 0;
  const first = named ? await withNamedTools(request, options.managerOf(chain)) : request;
  if (options.beforeRound !== undefined || options.afterRound !== undefined) {
    return new ToolLoop(first, inward, options, chain).run();
  }
  // Most turns call no tool: nothing is set up for a loop before there is one.
  const response = await inward.ask(first, inward.streaming ? new RoundFilter() : undefined);
  if (!wantsTools(response, options)) return response;
  const loop = new ToolLoop(first, inward, options, chain);
  return (await loop.goOn(response)) ?? loop.run();
}

function wantsTools(
  { chatResponse: answer, pendingApproval }: ChatClientResponse,
  { eligible = hasToolCalls }: ToolLoopOptions,
): boolean {
  return answer !== undefined && pendingApproval === undefined && eligible(answer);
}

async function withNamedTools(request: ChatClientRequest, manager: ToolCallingManager): Promise<ChatClientRequest> {
  const tools = await manager.resolveTools(request.prompt.options);
  return withRequest(request, { prompt: request.prompt.withOptions({ tools, toolNames: null }) });
}

class ToolLoop {
  readonly #inward: Inward;
  readonly #options: ToolLoopOptions;
  readonly #chain: CallAdvisorChain | StreamAdvisorChain;
  /** Of the round that comes next, or runs. */
  #request: ChatClientRequest;
  /** The whole conversation: what the tools see, and what limits are counted from. */
  #conversation: readonly Message[];
  /** What the prompt brought in, and where in the conversation the messages after it begin. */
  #head: readonly Message[];
  #from: number;
  #rounds = 0;
  #usage: Usage | undefined;
  /** What went out, or would have, of the rounds before this one. */
  readonly #answers: ChatResponse[] = [];
  #reasoningParts = 0;

  constructor(
    request: ChatClientRequest,
    inward: Inward,
    options: ToolLoopOptions,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ) {
    this.#request = request;
    this.#inward = inward;
    this.#options = options;
    this.#chain = chain;
    this.#conversation = request.prompt.messages;
    this.#head = NOT_YET;
    this.#from = request.prompt.messages.length;
  }

  async run(): Promise<ChatClientResponse> {
    for (;;) {
      const response = await this.#round();
      if (response !== undefined) return response;
    }
  }

  /** The open calls of a turn that waited take the place of the first round. */
  async resume({ pending, decisions }: Resumption): Promise<ChatClientResponse | undefined> {
    const { options } = this.#request.prompt;
    const outcome = await resumeToolRound(this.#options.managerOf(this.#chain), pending, decisions, options, this.#request);
    const messages = pending.messages.map((message) => decodeMessage(message));
    const start = turnStart(messages);
    let from = start;
    while (messages[from]?.type === 'user') from++;
    this.#conversation = messages;
    this.#head = messages.slice(start, from);
    this.#from = from;
    return this.#go(outcome, { context: this.#request.context, turn: [] });
  }

  async #round(): Promise<ChatClientResponse | undefined> {
    const { beforeRound, afterRound } = this.#options;
    const index = this.#rounds;
    const usage = this.#usage ?? {};
    if (beforeRound !== undefined) {
      this.#request = await beforeRound({ index, request: this.#request, usage });
    }
    const request = this.#request;
    const response = await this.#inward.ask(request, this.#inward.streaming ? this.#filter() : undefined);
    return this.goOn(afterRound === undefined ? response : await afterRound({ index, request, usage }, response));
  }

  /** Ends a round that was answered. Undefined: ask again. */
  async goOn(response: ChatClientResponse): Promise<ChatClientResponse | undefined> {
    this.#rounds++;
    const answer = response.chatResponse;
    if (answer === undefined || response.pendingApproval !== undefined) return response;
    if (!wantsTools(response, this.#options)) return this.#finish(response, answer);
    const manager = this.#options.managerOf(this.#chain);
    const outcome = await runToolRound(manager, this.#whole(this.#request.prompt), answer, this.#request);
    if (outcome.type !== 'pending') this.#keep(answer);
    return this.#go(outcome, response);
  }

  /** Undefined: ask again. */
  async #go(outcome: ToolRoundOutcome, response: ChatClientResponse): Promise<ChatClientResponse | undefined> {
    switch (outcome.type) {
      case 'continue': {
        this.#grow(outcome.prompt.messages);
        if (this.#rounds >= this.#options.maxRounds) return this.#stop(response);
        const prompt = this.#options.internalHistory(this.#chain) ? outcome.prompt : lastOnly(outcome.prompt);
        this.#request = withRequest(this.#request, { prompt });
        return undefined;
      }
      case 'cancelled':
        this.#grow(outcome.messages);
        throw abortError(this.#request.signal ?? AbortSignal.abort());
      case 'finish': {
        this.#grow(outcome.messages);
        const text = outcome.response.results.map(({ output }) => output.text).join('\n');
        return this.#answer(response, outcome.response, [assistantMessage(text)]);
      }
      case 'pending':
        return this.#suspend(response, outcome.result);
    }
  }

  async #finish(response: ChatClientResponse, answer: ChatResponse): Promise<ChatClientResponse> {
    if (this.#rounds === 1 && this.#head === NOT_YET) return response;
    this.#count(answer);
    const said = response.turn.findIndex(({ type }) => type === 'assistant');
    const finished = await this.#answer(response, answer, said < 0 ? [] : response.turn.slice(said));
    // An advisor further in that took the answer back wants the turn forgotten.
    return response.turn.length === 0 ? { ...finished, turn: [] } : finished;
  }

  /** The last round was one too many. */
  #stop(response: ChatClientResponse): Promise<ChatClientResponse> {
    const text = `Stopped after ${this.#rounds} rounds of tools, the limit of a turn.`;
    const stopped = chatResponse([{ text, metadata: { finishReason: 'tool_call_limit' } }]);
    return this.#answer(response, stopped, [assistantMessage(text)]);
  }

  async #suspend(response: ChatClientResponse, result: ToolExecutionResult): Promise<ChatClientResponse> {
    const { conversationHistory } = result;
    const context: Readonly<Record<string, JsonValue>> = jsonEntries(this.#request.context);
    const pendingApproval = await this.#options.managerOf(this.#chain).suspend(result, { context });
    const output = conversationHistory.findLast((message) => message.type === 'assistant') ?? assistantMessage();
    if (response.chatResponse !== undefined) this.#count(response.chatResponse);
    this.#conversation = conversationHistory;
    const waiting = chatResponse([{ output, metadata: { finishReason: 'approval' } }], response.chatResponse?.metadata);
    return { ...(await this.#answer(response, waiting, [])), pendingApproval };
  }

  /** The answer of the turn: what all its rounds said, and `last`. */
  async #answer(
    response: ChatClientResponse,
    last: ChatResponse,
    said: readonly Message[],
  ): Promise<ChatClientResponse> {
    const numbered = numberedOn(last, this.#reasoningParts);
    const whole = this.#answers.length === 0 ? last : await fold([...this.#answers, numbered]);
    return {
      chatResponse: { ...whole, metadata: { ...whole.metadata, usage: this.#usage ?? whole.metadata.usage } },
      context: response.context,
      turn: [...this.#turnHead(), ...this.#conversation.slice(this.#from), ...said],
    };
  }

  #keep(answer: ChatResponse): void {
    const kept = this.#filter().pass(answer);
    if (kept !== undefined) this.#answers.push(kept);
    this.#reasoningParts += answer.result?.output.reasoning.length ?? 0;
    this.#count(answer);
  }

  #count({ metadata }: ChatResponse): void {
    this.#usage = addUsage(this.#usage ?? {}, metadata.usage);
  }

  #filter(): RoundFilter {
    return new RoundFilter(this.#usage, this.#reasoningParts);
  }

  #grow(conversation: readonly Message[]): void {
    this.#head = this.#turnHead();
    this.#conversation = conversation;
    const log = turnLogOf(this.#request.context);
    if (log !== undefined) log.rounds = conversation.slice(this.#from);
  }

  /** Before the first round has run tools, the conversation is the prompt. */
  #turnHead(): readonly Message[] {
    return this.#head === NOT_YET ? newMessages(this.#conversation) : this.#head;
  }

  #whole(prompt: Prompt): Prompt {
    return prompt.messages === this.#conversation ? prompt : prompt.withMessages(this.#conversation);
  }
}

const NOT_YET: readonly Message[] = [];

/** A memory further in knows the rest. */
function lastOnly(prompt: Prompt): Prompt {
  const system = prompt.systemMessages;
  return prompt.withMessages([...system, ...prompt.messages.slice(-1)]);
}

import type { ChatResponse, Message, ToolCallingManager, ToolExecutionResult, ToolRoundOutcome } from '@vernal/core';
import {
  abortError,
  assistantMessage,
  callsTools,
  chatResponse,
  decodeMessage,
  Prompt,
  resumeToolRound,
  runToolRound,
} from '@vernal/core';
import type { AdvisorChain, CallAdvisorChain, StreamAdvisorChain } from '../advisors/advisor.js';
import { type ChatClientRequest, type ChatClientResponse, withRequest } from '../advisors/advisor-request.js';
import type { ToolCallingAdvisorOptions } from '../advisors/tool-calling-advisor.js';
import type { Inward } from './advice.js';
import { offeredWith } from './ask-model.js';
import { jsonEntries } from './json-entries.js';
import { cancelledMessage, closeOpenCalls } from './open-calls.js';
import { RoundFilter } from './round-filter.js';
import {
  notesOf,
  type Resumption,
  type RoundMemory,
  takeResumption,
  withNotes,
  withoutNotes,
  withoutResumption,
} from './run-notes.js';
import { TurnAnswer } from './turn-answer.js';
import { newMessages, turnStart } from './turn-messages.js';

type AnyChain = CallAdvisorChain | StreamAdvisorChain;

export interface ToolLoopOptions
  extends Pick<ToolCallingAdvisorOptions, 'eligible' | 'beforeRound' | 'afterRound' | 'internalHistory'> {
  readonly maxRounds: number;
  managerOf(chain: AdvisorChain): ToolCallingManager;
  /** True when a memory stands inside of the loop. */
  memoryInside(chain: AnyChain): boolean;
}

/** Asks, runs the tools that the answer calls, asks again, until an answer calls none. The same for call and stream. */
export async function runToolLoop(
  request: ChatClientRequest,
  inward: Inward,
  options: ToolLoopOptions,
  chain: AnyChain,
): Promise<ChatClientResponse> {
  const resumption = takeResumption(request.context);
  const first = namesTools(request.prompt) ? await withNamedTools(request, options.managerOf(chain)) : request;
  if (resumption !== undefined || options.memoryInside(chain) || options.beforeRound || options.afterRound) {
    const loop = new ToolLoop(first, inward, options, chain);
    const resumed = resumption === undefined ? undefined : await loop.resume(resumption);
    const response = resumed ?? (await loop.run());
    return { ...response, context: withoutNotes(response.context) };
  }
  // Most turns call no tool: nothing is set up for a loop before there is one.
  const response = await inward.ask(first, inward.streaming ? new RoundFilter() : undefined);
  if (!wantsTools(response, options)) return response;
  const loop = new ToolLoop(first, inward, options, chain);
  return (await loop.goOn(response)) ?? loop.run();
}

function wantsTools(
  { chatResponse: answer, pendingApproval }: ChatClientResponse,
  { eligible = callsTools }: ToolLoopOptions,
): boolean {
  return answer !== undefined && pendingApproval === undefined && eligible(answer);
}

function namesTools({ options: { toolNames } }: Prompt): boolean {
  return toolNames !== undefined && toolNames !== null && toolNames.length > 0;
}

async function withNamedTools(request: ChatClientRequest, manager: ToolCallingManager): Promise<ChatClientRequest> {
  const tools = await manager.resolveTools(request.prompt.options);
  return withRequest(request, { prompt: request.prompt.withOptions({ tools, toolNames: null }) });
}

class ToolLoop {
  readonly #inward: Inward;
  readonly #options: ToolLoopOptions;
  readonly #chain: AnyChain;
  readonly #internalHistory: boolean;
  /** Of a memory further in; undefined when there is none. */
  readonly #memory: RoundMemory | undefined;
  readonly #answer = new TurnAnswer();
  /** Of the round that comes next, or runs. */
  #request: ChatClientRequest;
  /** True when an advisor further in offered other tools than the request does. */
  #reoffered = false;
  /** Model calls so far. */
  #rounds = 0;
  /** The whole conversation: what the tools see, and what limits are counted from. */
  #conversation: readonly Message[];
  /** Where in the conversation the messages after those of the prompt begin. */
  #from: number;
  /** What the prompt brought in; undefined while the conversation is the prompt. */
  #head: readonly Message[] | undefined;

  constructor(request: ChatClientRequest, inward: Inward, options: ToolLoopOptions, chain: AnyChain) {
    const inside = options.memoryInside(chain);
    const context = withoutResumption(request.context);
    this.#inward = inward;
    this.#options = options;
    this.#chain = chain;
    this.#internalHistory = options.internalHistory ?? !inside;
    this.#memory = inside ? {} : undefined;
    this.#request = {
      ...request,
      context: this.#memory === undefined ? context : withNotes(context, { roundMemory: this.#memory }),
    };
    this.#conversation = request.prompt.messages;
    this.#from = request.prompt.messages.length;
  }

  async run(): Promise<ChatClientResponse> {
    for (;;) {
      try {
        const response = await this.#round();
        if (response !== undefined) return response;
      } catch (error) {
        await this.#rememberUnasked();
        throw error;
      }
    }
  }

  /** A round that failed on its way to a memory further in: answers that were found for the round before are not lost. */
  async #rememberUnasked(): Promise<void> {
    const answers = this.#conversation.at(-1);
    if (this.#memory === undefined || answers?.type !== 'tool' || this.#memory.asked === answers) return;
    await this.#rememberCancelled([answers]);
  }

  /** The open calls of a turn that waited take the place of the first round. Undefined: ask again. */
  async resume({ pending, decisions }: Resumption): Promise<ChatClientResponse | undefined> {
    const manager = this.#options.managerOf(this.#chain);
    const outcome = await this.#inward.wait(this.#request, (request) =>
      resumeToolRound(manager, pending, decisions, request.prompt.options, request),
    );
    const messages = pending.messages.map((message) => decodeMessage(message));
    const start = turnStart(messages);
    this.#conversation = messages;
    this.#from = start;
    while (messages[this.#from]?.type === 'user') this.#from++;
    this.#head = messages.slice(start, this.#from);
    return this.#go(outcome, { context: this.#request.context, turn: [] });
  }

  async #round(): Promise<ChatClientResponse | undefined> {
    const { beforeRound, afterRound } = this.#options;
    const { usage } = this.#answer;
    const index = this.#rounds;
    if (beforeRound !== undefined) this.#request = await beforeRound({ index, request: this.#request, usage });
    const request = this.#request;
    const response = await this.#inward.ask(request, this.#inward.streaming ? this.#answer.filter() : undefined);
    return this.goOn(afterRound === undefined ? response : await afterRound({ index, request, usage }, response));
  }

  /** Ends a round that was answered. Undefined: ask again. */
  async goOn(response: ChatClientResponse): Promise<ChatClientResponse | undefined> {
    this.#rounds++;
    const answer = response.chatResponse;
    if (answer === undefined || response.pendingApproval !== undefined) return response;
    if (!wantsTools(response, this.#options)) return this.#finish(response, answer);
    const outcome = await this.#runTools(answer, response);
    if (outcome.type !== 'pending') this.#answer.keep(answer);
    return this.#go(outcome, response);
  }

  async #runTools(answer: ChatResponse, response: ChatClientResponse): Promise<ToolRoundOutcome> {
    const { prompt, run } = this.#request;
    const { options } = prompt;
    const offered = offeredWith(response.turn.at(-1), run) ?? options;
    this.#reoffered = offered.tools !== options.tools || offered.toolContext !== options.toolContext;
    const whole =
      prompt.messages === this.#conversation && !this.#reoffered ? prompt : new Prompt(this.#conversation, offered);
    try {
      const manager = this.#options.managerOf(this.#chain);
      return await this.#inward.wait(this.#request, (request) => runToolRound(manager, whole, answer, request));
    } catch (error) {
      const calling = answer.results.find(({ output }) => output.toolCalls.length > 0)?.output;
      await this.#rememberCancelled(calling === undefined ? [] : closeOpenCalls([calling]).slice(1));
      throw error;
    }
  }

  async #go(outcome: ToolRoundOutcome, response: ChatClientResponse): Promise<ChatClientResponse | undefined> {
    switch (outcome.type) {
      case 'continue': {
        this.#grow(outcome.prompt.messages);
        if (this.#rounds >= this.#options.maxRounds) return this.#stop(response);
        let { prompt } = outcome;
        if (this.#reoffered) {
          // What advisors further in made of the options they will make again; a choice that was obeyed stays so.
          const { toolChoice } = prompt.options;
          prompt = this.#request.prompt.withMessages(prompt.messages).withOptions({ toolChoice });
        }
        if (!this.#internalHistory && !this.#memory?.asText) prompt = lastOnly(prompt);
        this.#request = withRequest(this.#request, { prompt });
        return undefined;
      }
      case 'cancelled':
        this.#grow(outcome.messages);
        await this.#rememberCancelled(outcome.messages.slice(-1));
        throw abortError(this.#request.signal ?? AbortSignal.abort());
      case 'finish': {
        this.#grow(outcome.messages);
        const text = outcome.response.results.map(({ output }) => output.text).join('\n');
        return this.#endOnTools(response, outcome.response, text);
      }
      case 'pending':
        return this.#suspend(response, outcome.result);
    }
  }

  #finish(response: ChatClientResponse, answer: ChatResponse): ChatClientResponse {
    if (this.#head === undefined) return response;
    this.#answer.count(answer);
    const said = response.turn.findIndex(({ type }) => type === 'assistant');
    const finished = this.#whole(response, answer, said < 0 ? [] : response.turn.slice(said));
    // An advisor further in that took the answer back wants the turn forgotten.
    return response.turn.length === 0 ? { ...finished, turn: [] } : finished;
  }

  /** The last round was one too many. */
  #stop(response: ChatClientResponse): Promise<ChatClientResponse> {
    const text = `Stopped after ${this.#rounds} rounds of tools, the limit of a turn.`;
    const stopped = chatResponse([{ text, metadata: { finishReason: 'tool_call_limit' } }]);
    return this.#endOnTools(response, stopped, text);
  }

  /** Tools ran, and no question follows: a memory further in has not seen the end. */
  async #endOnTools(response: ChatClientResponse, last: ChatResponse, text: string): Promise<ChatClientResponse> {
    const said = [assistantMessage(text)];
    await this.#memory?.append?.([...this.#conversation.slice(-1), ...said]);
    return this.#whole(response, last, said);
  }

  async #suspend(response: ChatClientResponse, result: ToolExecutionResult): Promise<ChatClientResponse> {
    const { conversationHistory } = result;
    const context = jsonEntries(this.#request.context);
    const pendingApproval = await this.#options.managerOf(this.#chain).suspend(result, { context });
    const answer = response.chatResponse;
    if (answer !== undefined) this.#answer.count(answer);
    this.#grow(conversationHistory);
    const output = conversationHistory.findLast((message) => message.type === 'assistant') ?? assistantMessage();
    const waiting = chatResponse([{ output, metadata: { finishReason: 'approval' } }], answer?.metadata);
    return { ...this.#whole(response, waiting, []), pendingApproval };
  }

  async #rememberCancelled(answers: readonly Message[]): Promise<void> {
    if (this.#memory !== undefined) this.#memory.asked = this.#conversation.at(-1);
    try {
      await this.#memory?.append?.([...answers, cancelledMessage('')]);
    } catch {
      this.#chain.logger.warn('A cancelled turn could not be stored');
    }
  }

  /** The answer of the turn, and all its messages, `said` last. */
  #whole(response: ChatClientResponse, last: ChatResponse, said: readonly Message[]): ChatClientResponse {
    const chatResponse = this.#answer.whole(last);
    const turn = [...this.#turnHead(), ...this.#conversation.slice(this.#from), ...said];
    return { chatResponse, context: response.context, turn };
  }

  #grow(conversation: readonly Message[]): void {
    this.#head = this.#turnHead();
    this.#conversation = conversation;
    const { log } = notesOf(this.#request.context);
    if (log !== undefined) log.rounds = conversation.slice(this.#from);
  }

  #turnHead(): readonly Message[] {
    return this.#head ?? newMessages(this.#conversation);
  }
}

/** A memory further in knows the rest. */
function lastOnly(prompt: Prompt): Prompt {
  return prompt.withMessages([...prompt.systemMessages, ...prompt.messages.slice(-1)]);
}

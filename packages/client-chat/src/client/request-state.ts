import type { ChatOptions, Message, Observation, TemplateRenderer } from '@vernal/core';
import { invalidArgument, Prompt, untilAborted, VernalError } from '@vernal/core';
import type { AdvisorContext, ChatClientRequest } from '../advisors/advisor-request.js';
import { type Resumption, withNotes } from '../chain/run-notes.js';
import type { AdvisorPlan, ClientSettings } from './advisor-plan.js';
import { mustRead, readPart, type TextPart } from './read-part.js';
import type { EntityOptions } from './terminals.js';
import { systemOf, userOf } from './text-part.js';
import type { Tooling } from './tooling.js';

/** Everything that a request says. Immutable; a client's defaults are a request that nothing was added to yet. */
export interface RequestState {
  readonly settings: ClientSettings;
  readonly plan: AdvisorPlan;
  readonly system: TextPart | undefined;
  readonly user: TextPart | undefined;
  readonly messages: readonly Message[];
  readonly options: ChatOptions;
  readonly tooling: Tooling;
  readonly context: AdvisorContext;
  readonly renderer: TemplateRenderer | undefined;
  readonly entityOptions: EntityOptions;
  readonly signal: AbortSignal | undefined;
  readonly observation: Observation | undefined;
  readonly timeoutMs: number | undefined;
  readonly resumption: Resumption | undefined;
}

/** What enters the chain. A promise only when there is something to read or to ask for first. */
export function requestOf(
  state: RequestState,
  signal: AbortSignal | undefined,
): ChatClientRequest | Promise<ChatClientRequest> {
  const { system, user, tooling } = state;
  if (mustRead(system) || mustRead(user) || tooling.hasProviders) return readThenBuild(state, signal);
  return build(state, signal);
}

async function readThenBuild(state: RequestState, signal: AbortSignal | undefined): Promise<ChatClientRequest> {
  const { observation, tooling } = state;
  const reading = Promise.all([
    readPart(state.system, { signal }),
    readPart(state.user, { signal }),
    tooling.hasProviders ? tooling.askProviders({ signal, observation }) : tooling,
  ]);
  // What is read may not listen to the signal.
  const [system, user, asked] = await untilAborted(reading, signal);
  return build({ ...state, system, user, tooling: asked }, signal);
}

function build(state: RequestState, signal: AbortSignal | undefined): ChatClientRequest {
  const { observation, resumption, options, tooling } = state;
  if (resumption !== undefined) checkResumable(state);
  return {
    prompt: new Prompt(messagesOf(state), tooling.applyTo(options)),
    context: resumption === undefined ? state.context : withNotes(state.context, { resumption: { ...resumption } }),
    signal,
    observation,
    run: { resumed: resumption !== undefined },
  };
}

/** The system text first, the user text last, whatever the order of the calls. */
function messagesOf({ system, user, messages, renderer }: RequestState): readonly Message[] {
  const systemText = system === undefined ? undefined : systemOf(system, renderer);
  const userText = user === undefined ? undefined : userOf(user, renderer);
  const all: Message[] = [];
  if (systemText !== undefined) all.push(systemText);
  if (messages.length > 0) all.push(...messages);
  if (userText !== undefined) all.push(userText);
  if (all.length === 0)
    throw invalidArgument('prompt', 'there is nothing to ask: say user(text), prompt(text) or messages(…)');
  return all;
}

function checkResumable({ plan, user }: RequestState): void {
  const loops = plan.toolCalling;
  if (loops && user === undefined) return;
  throw new VernalError(
    loops
      ? 'A resumed turn goes on where it stopped and takes no user text: ask in a request of its own, after it'
      : 'A resumed turn needs the tool loop: leave out toolCalling(false)',
    { code: 'invalid_state', subject: loops ? 'user' : 'toolCalling' },
  );
}

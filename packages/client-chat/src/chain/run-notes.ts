import type { ApprovalDecisions, Message, PendingApproval } from '@vernal/core';
import type { AdvisorContext } from '../advisors/advisor-request.js';

/** What a running turn came to so far: kept by memory, filled in further in, read when the turn fails. */
export interface TurnLog {
  /** Finished tool rounds, every call answered. */
  rounds: readonly Message[];
  /** What the model had said of its answer when its stream broke off. */
  partial: string;
}

/** A turn that waited, and what was decided: the tool loop goes on with it in place of the prompt. */
export interface Resumption {
  readonly pending: PendingApproval;
  readonly decisions: ApprovalDecisions;
  /** An advisor that asks again must not have the same tools run again. */
  taken?: boolean;
}

/** How the tool loop reaches a memory inside of it, whose rounds it does not always end with another question. */
export interface RoundMemory {
  /** The last message of the round that it takes care of. */
  asked?: Message | undefined;
  append?: (messages: readonly Message[]) => Promise<void>;
  /** It gives no messages back, so the loop has to carry them. */
  asText?: boolean;
}

/** What the parts of one run tell each other, beside what advisors do. */
export interface RunNotes {
  readonly log?: TurnLog;
  readonly resumption?: Resumption;
  readonly roundMemory?: RoundMemory;
}

const NOTES: unique symbol = Symbol.for('vernal.client-chat.run-notes');

type Noted = AdvisorContext & { readonly [NOTES]?: RunNotes };

/** Under a symbol, so that whatever an advisor does with the keys of the context, it neither meets nor loses them. */
export function withNotes(context: Noted, notes: RunNotes): AdvisorContext {
  return { ...context, [NOTES]: { ...context[NOTES], ...notes } };
}

export function notesOf(context: Noted): RunNotes {
  return context[NOTES] ?? NO_NOTES;
}

/** For responses, which carry no notes. */
export function withoutNotes(context: Noted): AdvisorContext {
  if (!(NOTES in context)) return context;
  const { [NOTES]: _, ...rest } = context;
  return rest;
}

/** What the run goes on with, the first time that it is asked for. */
export function takeResumption(context: AdvisorContext): Resumption | undefined {
  const { resumption } = notesOf(context);
  if (resumption === undefined || resumption.taken === true) return undefined;
  resumption.taken = true;
  return resumption;
}

/** A round further in must not resume again. */
export function withoutResumption(context: Noted): AdvisorContext {
  const { resumption: _, ...notes } = notesOf(context);
  return { ...context, [NOTES]: notes };
}

const NO_NOTES: RunNotes = {};

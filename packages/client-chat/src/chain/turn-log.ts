import type { Message } from '@vernal/core';
import type { AdvisorContext } from '../advisors/advisor-request.js';

/** What a running turn came to so far: kept by memory, filled in further in, read when the turn fails. */
export interface TurnLog {
  /** Finished tool rounds, every call answered. */
  rounds: readonly Message[];
  /** What the model had said of its answer when its stream broke off. */
  partial: string;
}

const TURN_LOG = Symbol.for('vernal.client-chat.turn-log');

/** A symbol, so that whatever an advisor does with the keys of the context, it neither meets nor loses this one. */
export function withTurnLog(context: AdvisorContext, log: TurnLog): AdvisorContext {
  return { ...context, [TURN_LOG]: log };
}

export function turnLogOf(context: AdvisorContext): TurnLog | undefined {
  const log: unknown = Reflect.get(context, TURN_LOG);
  return isTurnLog(log) ? log : undefined;
}

export function withoutTurnLog(context: AdvisorContext): AdvisorContext {
  if (!(TURN_LOG in context)) return context;
  const { [TURN_LOG]: _, ...rest } = context;
  return rest;
}

function isTurnLog(value: unknown): value is TurnLog {
  return typeof value === 'object' && value !== null && 'rounds' in value && 'partial' in value;
}

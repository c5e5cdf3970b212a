import { invalidArgument } from '../errors/invalid-argument.js';
import type { Message } from '../messages/message.js';

/**
 * How many tool calls a turn may hold. A turn is what follows the last user message; calls of earlier rounds are counted from the
 * history, refused ones included. Source: the tool call limits of `DefaultToolCallingManager` in spring-ai-model.
 */
export interface ToolLimits {
  /** Calls of one tool a turn. Default 40; 'unlimited' is said, not guessed. */
  readonly perTool?: number | 'unlimited' | undefined;
  /** In place of `perTool`, by tool name. */
  readonly perToolOverrides?: Readonly<Record<string, number | 'unlimited'>> | undefined;
  /** Calls of all tools a turn. Default 150. */
  readonly total?: number | 'unlimited' | undefined;
  /**
   * 'stop' (default): the advisor ends the turn with finish reason 'tool_call_limit'; a manager used by hand throws `ToolLimitError`.
   * 'answer': the model is told, once; the next breach stops. 'throw': `ToolLimitError` in either case.
   * Calls before the breach are run, those after it are not, except that 'answer' goes on with other tools.
   */
  readonly onExceeded?: 'stop' | 'answer' | 'throw' | undefined;
}

/** Limits as numbers; Infinity is unlimited. */
export interface ResolvedToolLimits {
  readonly perTool: number;
  readonly overrides: ReadonlyMap<string, number>;
  readonly total: number;
  readonly onExceeded: 'stop' | 'answer' | 'throw';
}

export interface LimitBreach {
  /** Absent for the limit of all tools. */
  readonly toolName?: string;
  readonly limit: number;
  /** What the model is told, or the turn ends with. */
  readonly text: string;
}

/** Throws `invalid_argument` for a limit that is not a whole number above 0. */
export function resolveToolLimits(limits: ToolLimits = {}): ResolvedToolLimits {
  const overrides = Object.entries(limits.perToolOverrides ?? {});
  return {
    perTool: limitOf(limits.perTool ?? 40, 'limits.perTool'),
    overrides: new Map(overrides.map(([name, limit]) => [name, limitOf(limit, `limits.perToolOverrides.${name}`)])),
    total: limitOf(limits.total ?? 150, 'limits.total'),
    onExceeded: limits.onExceeded ?? 'stop',
  };
}

function limitOf(limit: number | 'unlimited', subject: string): number {
  if (limit === 'unlimited') return Number.POSITIVE_INFINITY;
  if (!Number.isInteger(limit) || limit < 1)
    throw invalidArgument(subject, "must be a whole number > 0, or 'unlimited'");
  return limit;
}

/** Counts the calls of one turn. */
export class ToolCallCount {
  readonly #limits: ResolvedToolLimits;
  /** The names of the calls: turns are short, and most have one. */
  #names: string[] = [];
  /** True when a breach of an earlier round was answered: the model knows, so the next one stops. */
  readonly told: boolean;

  constructor(messages: readonly Message[], limits: ResolvedToolLimits) {
    this.#limits = limits;
    for (let i = messages.length - 1; i >= 0; i--) {
      const message = messages[i];
      if (message?.type === 'user') break;
      if (message?.type === 'tool') for (const { name } of message.responses) this.#names.push(name);
    }
    this.told = this.#names.length > 0 && this.#isOver();
  }

  /** Counts one more call; gives the breach if there is one. */
  add(toolName: string): LimitBreach | undefined {
    // A list that grows is made for many.
    if (this.#names.length === 0) this.#names = [toolName];
    else this.#names.push(toolName);
    const calls = this.#names.reduce((count, name) => (name === toolName ? count + 1 : count), 0);
    const limit = this.#limit(toolName);
    if (calls > limit)
      return {
        toolName,
        limit,
        text: `Tool '${toolName}' may be called ${times(limit)} a turn, which is used up. Do not call it again.`,
      };
    const { total } = this.#limits;
    if (this.#names.length > total)
      return {
        limit: total,
        text: `Tools may be called ${times(total)} a turn, which is used up. Do not call any again.`,
      };
    return undefined;
  }

  #isOver(): boolean {
    if (this.#names.length > this.#limits.total) return true;
    const counts = new Map<string, number>();
    for (const name of this.#names) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [name, count] of counts) if (count > this.#limit(name)) return true;
    return false;
  }

  #limit(toolName: string): number {
    return this.#limits.overrides.get(toolName) ?? this.#limits.perTool;
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

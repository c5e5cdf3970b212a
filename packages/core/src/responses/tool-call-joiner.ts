import type { ToolCall } from '../messages/message.js';
import type { ToolCallDelta } from './chat-response.js';

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  readonly index: number | undefined;
}

/** Joins the pieces of the tool calls of one generation. */
export class ToolCallJoiner {
  readonly #calls: OpenCall[] = [];
  /** The call that the last piece went to. */
  #last: OpenCall | undefined;
  /** The call that an index stands for now: servers that send 0 for every call make it stand for several in turn. */
  readonly #byIndex = new Map<number, OpenCall>();

  /** A call that came whole. Pieces never go to it. */
  addWhole(call: ToolCall): void {
    this.#calls.push({ id: call.id, name: call.name, arguments: call.arguments, index: undefined });
    this.#last = undefined;
  }

  add(delta: ToolCallDelta): void {
    const call = this.#find(delta) ?? this.#open(delta.index ?? undefined);
    if (delta.index !== undefined && delta.index !== null) this.#byIndex.set(delta.index, call);
    this.#last = call;
    if (isId(delta.id) && call.id === '') call.id = delta.id;
    if (delta.name && delta.name !== call.name) call.name += delta.name;
    if (delta.arguments) call.arguments += delta.arguments;
  }

  /**
   * In the order of their indexes where each call has one, else in the order they began. A call that was given no id gets one by its
   * place: answers are told apart by ids.
   */
  result(): ToolCall[] {
    const calls = this.#calls.every((call) => call.index !== undefined)
      ? this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      : this.#calls;
    return calls.map(({ id, name, arguments: args }, i) => ({ id: id || `call_${i}`, name, arguments: args }));
  }

  #open(index: number | undefined): OpenCall {
    const call: OpenCall = { id: '', name: '', arguments: '', index };
    this.#calls.push(call);
    return call;
  }

  #find(delta: ToolCallDelta): OpenCall | undefined {
    const hasIndex = delta.index !== undefined && delta.index !== null;
    const current = hasIndex ? this.#byIndex.get(delta.index) : this.#last;
    if (isId(delta.id) && current?.id !== delta.id) {
      const same = this.#calls.find((call) => call.id === delta.id && (!hasIndex || call.index === delta.index));
      if (same !== undefined) return same;
      // The id of a call that began without one; a name beside it starts a call of its own.
      return current !== undefined && current.id === '' && (hasIndex || !delta.name || current.name === '')
        ? current
        : undefined;
    }
    return current !== undefined && startsAnother(current, delta) ? undefined : current;
  }
}

/**
 * Servers that send neither ids nor distinct indexes: after arguments, another name is another call, and so is the same name when the
 * arguments are complete and more of them come.
 */
function startsAnother(call: OpenCall, delta: ToolCallDelta): boolean {
  if (!delta.name || call.arguments === '' || isId(delta.id)) return false;
  return delta.name !== call.name || (Boolean(delta.arguments?.trim()) && isComplete(call.arguments));
}

function isComplete(json: string): boolean {
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function isId(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '' && id !== 'null';
}

import type { Message } from '../messages/message.js';

/** Conversations remembered at a time; the room of the others is measured when they are next written to. */
const MAX_CONVERSATIONS = 10_000;

/**
 * How much more each conversation's window can take, so that adding need not read what is there. Only a hint: other processes write
 * too, and reading cuts by what it finds.
 */
export class RoomLeft {
  readonly #rooms = new Map<string, number>();
  readonly #cost: (message: Message) => number;

  constructor(cost: (message: Message) => number) {
    this.#cost = cost;
  }

  /** False when the window has to be looked at: it is too full now, or nothing is known about it. */
  take(conversationId: string, added: readonly Message[]): boolean {
    const before = this.#rooms.get(conversationId);
    if (before === undefined) return false;
    let left = before;
    let mayCut = before >= 0;
    for (const message of added) {
      if (message.type === 'system') return false;
      left -= this.#cost(message);
      // Too full already means that the running turn alone is too much: only the next user message gives a place to cut.
      mayCut ||= message.type === 'user';
    }
    if (left < 0 && mayCut) return false;
    this.#rooms.set(conversationId, left);
    return true;
  }

  /** `messages` from `kept` on are in the window. */
  measure(conversationId: string, budget: number, messages: readonly Message[], kept = 0): void {
    let left = budget;
    for (let i = kept; i < messages.length; i++) {
      const message = messages[i];
      if (message !== undefined) left -= this.#cost(message);
    }
    if (this.#rooms.size >= MAX_CONVERSATIONS && !this.#rooms.has(conversationId)) {
      for (const oldest of this.#rooms.keys()) {
        this.#rooms.delete(oldest);
        break;
      }
    }
    this.#rooms.set(conversationId, left);
  }

  forget(conversationId: string): void {
    this.#rooms.delete(conversationId);
  }
}

/** The keys of one conversation. What stands in braces decides on the slot of a cluster, so all of them are in one. */
export interface ConversationKeys {
  /** A hash: what is known of the conversation, and its messages by their sequences. */
  readonly conversation: string;
  /** A sorted set: the sequences of its system messages. */
  readonly systems: string;
  /** A sorted set: which writes were done lately. */
  readonly writes: string;
  /** What the keys of the copies for searching begin with, before the sequence. */
  readonly copies: string;
}

/** `key`: of `conversationKey()`, which has no braces. */
export function conversationKeys(keyPrefix: string, key: string): ConversationKeys {
  const conversation = `${keyPrefix}{${key}}`;
  return {
    conversation,
    systems: `${conversation}:systems`,
    writes: `${conversation}:writes`,
    copies: `${copiesPrefix(keyPrefix)}${key}}:`,
  };
}

/** What the keys of all copies begin with. The brace keeps prefixes apart of which one begins with the other. */
export function copiesPrefix(keyPrefix: string): string {
  return `${keyPrefix}message:{`;
}

/** What SCAN finds conversations by, and none of their other keys. */
export function conversationPattern(keyPrefix: string): string {
  return `${keyPrefix.replace(/[\\*?[\]^-]/g, '\\$&')}{*}`;
}

/** Of a copy; undefined for a key that is none. */
export function copyOf(
  keyPrefix: string,
  copy: string,
): { readonly key: string; readonly sequence: number } | undefined {
  const prefix = copiesPrefix(keyPrefix);
  const end = copy.lastIndexOf('}:');
  if (!copy.startsWith(prefix) || end < prefix.length) return undefined;
  const sequence = Number(copy.slice(end + 2));
  return Number.isSafeInteger(sequence) ? { key: copy.slice(prefix.length, end), sequence } : undefined;
}

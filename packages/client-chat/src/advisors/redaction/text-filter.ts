/** Changes a text that comes in pieces; how it is cut makes no difference. */
export interface TextFilter {
  /** What can be said of the text so far. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}

/** The same for a text that is there. */
export function filtered(filter: TextFilter, text: string): string {
  const head = filter.push(text);
  return head + filter.end();
}

import type { ChatResponse, Usage } from '@vernal/core';
import { addUsage, responseFold } from '@vernal/core';
import { numberedOn, RoundFilter } from './round-filter.js';

/** What the rounds of a turn said, as one answer. */
export class TurnAnswer {
  #usage: Usage | undefined;
  /** What went out, or would have, of the rounds so far. */
  readonly #said: ChatResponse[] = [];
  #reasoningParts = 0;

  /** Of the rounds so far; {} before the first has ended. */
  get usage(): Usage {
    return this.#usage ?? {};
  }

  /** What goes out of the round that comes next. */
  filter(): RoundFilter {
    return new RoundFilter(this.#usage, this.#reasoningParts);
  }

  /** A round that ran tools. */
  keep(answer: ChatResponse): void {
    const said = this.filter().pass(answer);
    if (said !== undefined) this.#said.push(said);
    this.#reasoningParts += answer.result?.output.reasoning.length ?? 0;
    this.count(answer);
  }

  count({ metadata }: ChatResponse): void {
    this.#usage = addUsage(this.usage, metadata.usage);
  }

  /** All of it, `last` at the end, with the usage that was counted. */
  whole(last: ChatResponse): ChatResponse {
    const whole = this.#said.length === 0 ? last : this.#saidBefore(last);
    return { ...whole, metadata: { ...whole.metadata, usage: this.#usage ?? whole.metadata.usage } };
  }

  #saidBefore(last: ChatResponse): ChatResponse {
    const answer = responseFold();
    for (const said of this.#said) answer.add(said);
    answer.add(numberedOn(last, this.#reasoningParts));
    return answer.result();
  }
}

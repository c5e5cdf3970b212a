import type { AdvisorChain, ChatClientRequest, ToolCallingAdvisorOptions } from '@vernal/client-chat';
import { ToolCallingAdvisor } from '@vernal/client-chat';
import type { CallContext } from '@vernal/core';
import { disclosureSettings } from './disclosure-settings.js';
import type { IndexEviction } from './index-eviction.js';
import type { ToolCategories } from './tool-categories.js';
import { ToolDisclosure } from './tool-disclosure.js';
import type { ToolIndex } from './tool-index.js';

/** Those of the tool loop, and how tools are searched. All may be left out. `beforeRound` sees the tools that are about to be offered. */
export interface ToolSearchToolCallingAdvisorOptions extends ToolCallingAdvisorOptions {
  /** Default a new `KeywordToolIndex`. One advisor an index: an advisor forgets what it thinks is its own. */
  readonly index?: ToolIndex | undefined;
  /** What the index forgets, and when. Default `lruEviction()`: the 1000 sets of tools that were searched last are kept. */
  readonly eviction?: IndexEviction | undefined;
  /** Milliseconds, for the eviction. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Default 'toolSearchTool'. */
  readonly toolName?: string | undefined;
  /** What the model is told about the search tool. */
  readonly toolDescription?: string | undefined;
  /** Goes behind the system message, once. '' leaves it out. Default: there are more tools than are listed. */
  readonly systemMessageSuffix?: string | undefined;
  /** Names a search gives when the model does not say how many. Default 5, or `maxResults` where that is lower. */
  readonly defaultResults?: number | undefined;
  /** Names a search gives at most, whatever the model says. Default 10. */
  readonly maxResults?: number | undefined;
  /** Gives descriptions beside the names. Default false. */
  readonly summaries?: boolean | undefined;
  /** Default true: what was found stays offered. False: only what the newest searches found is. */
  readonly accumulate?: boolean | undefined;
  /** A request with fewer tools offers them all, without a search. Default 1: always search. */
  readonly minTools?: number | undefined;
  /** Names of tools that are offered without a search. */
  readonly alwaysOffer?: readonly string[] | undefined;
  /** Default: `category` of the tool's metadata. Where tools have categories, the model may search in one of them. */
  readonly categories?: ToolCategories | undefined;
  /**
   * Keeps an index of its own for whom it names, a tenant or a conversation, whose tools change: each new set takes the place of the one
   * before. Default, and for undefined: one index for each set of tools, shared by all that have the same.
   */
  readonly session?: ((request: ChatClientRequest) => string | undefined) | undefined;
}

/**
 * The tool loop for many tools: the model sees a search tool, and of the others only what it found. Each round offers what the round
 * before it did and, behind that, what was found since: the list never changes but at its end, so a provider's prompt cache holds until
 * something new is found. What was not offered cannot be called. Found tools outlive a wait for approval, and the turns of a conversation
 * as long as a memory around the loop holds the searches. Tools are indexed when a search first needs them, once for each set of tools. A
 * search is a tool call and observed as one.
 *
 * Takes the place of `ToolCallingAdvisor` in a client. Source: `ToolSearchToolCallingAdvisor` of Spring AI.
 *
 * @example
 * ```ts
 * const client = ChatClient.builder(model)
 *   .defaultTools(...hundreds)
 *   .defaultAdvisors(new ToolSearchToolCallingAdvisor({ alwaysOffer: ['currentTime'] }))
 *   .build();
 * ```
 */
export class ToolSearchToolCallingAdvisor extends ToolCallingAdvisor {
  override readonly name: string = 'ToolSearchToolCallingAdvisor';
  readonly #disclosure: ToolDisclosure;

  /** @throws VernalError `invalid_argument` for options out of range, those of the tool loop included */
  constructor(options: ToolSearchToolCallingAdvisorOptions = {}) {
    const disclosure = new ToolDisclosure(disclosureSettings(options));
    const { beforeRound } = options;
    super({
      ...options,
      beforeRound: (round) => {
        const request = disclosure.next(round);
        return beforeRound === undefined ? request : beforeRound({ ...round, request });
      },
    });
    this.#disclosure = disclosure;
  }

  /** Adds the search tool and the note in the system message. */
  override before(request: ChatClientRequest, chain: AdvisorChain): Promise<ChatClientRequest> {
    return this.#disclosure.begin(request, chain);
  }

  /** Takes out of the index what this advisor put in and no search needs now; it is indexed again when it is needed again. */
  clearIndex(context?: CallContext): Promise<void> {
    return this.#disclosure.clear(context);
  }
}

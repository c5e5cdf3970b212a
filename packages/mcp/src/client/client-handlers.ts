import type { CreateMessageResult, CreateMessageResultWithTools, Prompt, Resource } from '@modelcontextprotocol/client';
import { invalidArgument } from '@vernal/core';
import type { McpToolDescription } from './listed-tools.js';
import type {
  McpElicitationAnswer,
  McpElicitationRequest,
  McpLogMessage,
  McpProgressUpdate,
  McpSamplingRequest,
} from './protocol-types.js';

/** What every handler gets beside its request. */
export interface McpHandlerContext {
  /** Name of the connection whose server asks. */
  readonly connection: string;
  /** Aborted when the server cancels its request, and when the connection closes. */
  readonly signal: AbortSignal;
  /** `_meta` of the request; {} when there is none. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The server wants something of a model: `chatModelSampling` answers it with a `ChatModel`. */
export type McpSamplingHandler = ((
  request: McpSamplingRequest,
  context: McpHandlerContext,
) => McpSamplingAnswer | Promise<McpSamplingAnswer>) & {
  /** Announces that the server may send tools along. Default false. */
  readonly tools?: boolean | undefined;
};

/** The answer of a model, with tool calls where tools were sent along. */
export type McpSamplingAnswer = CreateMessageResult | CreateMessageResultWithTools;

/**
 * The server wants something of the user: a form of a few fields (`mode: 'form'`), or that an address is opened (`mode: 'url'`). What is
 * accepted is checked against the schema of the form, and its defaults fill in what is missing.
 */
export type McpElicitationHandler = ((
  request: McpElicitationRequest,
  context: McpHandlerContext,
) => McpElicitationAnswer | Promise<McpElicitationAnswer>) & {
  /** Announces that addresses may be opened too. Default false: forms only. */
  readonly url?: boolean | undefined;
};

/** A line of the server's log. */
export type McpLoggingHandler = (message: McpLogMessage, context: McpHandlerContext) => unknown;

/** How far a request is: `progress` grows, `total` is there when the server knows it. */
export type McpProgressHandler = (
  progress: McpProgressUpdate,
  context: McpHandlerContext & { /** The tool that is at work. */ readonly tool: string },
) => unknown;

/** What the server offers after a change, and after every reconnection. */
export type McpListChangedHandler<T> = (items: readonly T[], context: McpHandlerContext) => unknown;

/** Answers to what a server asks for by itself, and listeners to what it says. Several of each, but one for sampling and for elicitation. */
export interface McpClientHandlers {
  readonly sampling?: McpSamplingHandler | undefined;
  readonly elicitation?: McpElicitationHandler | undefined;
  readonly logging?: McpLoggingHandler | undefined;
  readonly progress?: McpProgressHandler | undefined;
  readonly toolListChanged?: McpListChangedHandler<McpToolDescription> | undefined;
  readonly resourceListChanged?: McpListChangedHandler<Resource> | undefined;
  readonly promptListChanged?: McpListChangedHandler<Prompt> | undefined;
  /** A resource that was subscribed to has changed. */
  readonly resourceUpdated?: ((uri: string, context: McpHandlerContext) => unknown) | undefined;
}

/** All handlers of one connection. */
export interface ClientHandlerLists {
  readonly sampling: McpSamplingHandler | undefined;
  readonly elicitation: McpElicitationHandler | undefined;
  readonly logging: readonly McpLoggingHandler[];
  readonly progress: readonly McpProgressHandler[];
  readonly toolListChanged: readonly McpListChangedHandler<McpToolDescription>[];
  readonly resourceListChanged: readonly McpListChangedHandler<Resource>[];
  readonly promptListChanged: readonly McpListChangedHandler<Prompt>[];
  readonly resourceUpdated: readonly ((uri: string, context: McpHandlerContext) => unknown)[];
}

/** Throws `invalid_argument` when two would answer sampling, or elicitation. */
export function mergeHandlers(connection: string, sets: readonly McpClientHandlers[]): ClientHandlerLists {
  const all = <K extends keyof McpClientHandlers>(key: K): NonNullable<McpClientHandlers[K]>[] =>
    sets.flatMap((set) => {
      const handler = set[key];
      return handler === undefined ? [] : [handler];
    });
  const one = <K extends 'sampling' | 'elicitation'>(key: K): McpClientHandlers[K] => {
    const [first, second] = all(key);
    if (second !== undefined) {
      throw invalidArgument(
        `handlers.${key}`,
        `connection '${connection}' has two; only one can answer, so leave one out or give it other \`clients\``,
      );
    }
    return first;
  };
  return {
    sampling: one('sampling'),
    elicitation: one('elicitation'),
    logging: all('logging'),
    progress: all('progress'),
    toolListChanged: all('toolListChanged'),
    resourceListChanged: all('resourceListChanged'),
    promptListChanged: all('promptListChanged'),
    resourceUpdated: all('resourceUpdated'),
  };
}

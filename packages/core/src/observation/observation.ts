/** What is observed. Those of Vernal are listed; anyone may add more. */
export type ObservationKind =
  | 'chat_client'
  | 'advisor'
  | 'chat_model'
  | 'tool'
  | 'embedding_model'
  | 'rerank_model'
  | 'image_model'
  | 'transcription_model'
  | 'speech_model'
  | 'moderation_model'
  | 'vector_store'
  | 'memory'
  | 'rag'
  | 'etl'
  | 'mcp'
  | 'evaluation'
  | (string & {});

/**
 * Facts about what is observed, as plain data; the shapes of Vernal's kinds are `ChatModelObservationData` and its
 * siblings.
 */
export type ObservationData = Readonly<Record<string, unknown>>;

/** Where in a trace an observation stands, as W3C Trace Context writes it: what goes along with a request to another process. */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** What is known when an observation begins; the rest is added while it runs. */
export interface ObservationStart {
  readonly kind: ObservationKind;
  /** Low-cardinality subject: a model, tool, advisor or store name. */
  readonly name: string;
  /** Explicit parent. Without one the registry may use its own ambient context. */
  readonly parent?: Observation | undefined;
  /** The parent in another process, for a request that came from there. Counts where `parent` is left out. */
  readonly remoteParent?: TraceContext | undefined;
  readonly data: ObservationData;
}

/**
 * The port of tracing and metrics: told of every call, it makes spans or counts of them. Source: Micrometer's
 * `ObservationRegistry`.
 */
export interface ObservationRegistry {
  /** False: callers skip building `data`. */
  readonly enabled: boolean;
  /** True: prompts, completions, tool arguments and documents may be put into `data`. Default false. */
  readonly content: boolean;
  start(start: ObservationStart): Observation;
}

/** One span in the making. `stop` is called exactly once: on success, error, abort, or when an iterator is abandoned. */
export interface Observation {
  readonly kind: ObservationKind;
  add(data: ObservationData): void;
  event(name: string, data?: ObservationData): void;
  error(error: unknown): void;
  stop(): void;
  /** Runs `fn` with this observation as the ambient parent, across its awaits. */
  run<T>(fn: () => T): T;
  /** What to send along, so that the other process goes on with this trace. Left out, or undefined: nothing is sent. */
  traceContext?(): TraceContext | undefined;
}

export const noopObservation: Observation = {
  kind: 'noop',
  add() {},
  event() {},
  error() {},
  stop() {},
  run: (fn) => fn(),
};

/** Observes nothing: the default everywhere. */
export const noopObservationRegistry: ObservationRegistry = {
  enabled: false,
  content: false,
  start: () => noopObservation,
};

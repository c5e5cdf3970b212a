/** A row that a statement has returned. */
export interface Neo4jMemoryRecord {
  get(key: string): unknown;
}

/** What a statement has returned. */
export interface Neo4jMemoryResult {
  readonly records: readonly Neo4jMemoryRecord[];
}

/** A session of `neo4j-driver`. */
export interface Neo4jMemorySession {
  run(
    text: string,
    parameters?: Readonly<Record<string, unknown>>,
    config?: { readonly timeout?: number },
  ): PromiseLike<Neo4jMemoryResult>;
  /** Also ends on the server what is still under way. */
  close(): Promise<void>;
}

/** What a session is opened with. */
export interface Neo4jMemorySessionConfig {
  readonly database?: string;
  readonly defaultAccessMode?: 'READ' | 'WRITE';
  readonly fetchSize?: number;
  readonly bookmarkManager?: unknown;
}

/** A `Driver` of the package `neo4j-driver`, 5 or 6, or anything of its shape. However it gives integers is fine. */
export interface Neo4jMemoryDriver {
  session(config?: Neo4jMemorySessionConfig): Neo4jMemorySession;
  /** Of a cluster: what lets a read see the writes before it. */
  readonly executeQueryBookmarkManager?: unknown;
}

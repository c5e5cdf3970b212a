/** What the command touches of the world. `processIo` hands it the process's own; tests hand it theirs. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. Paths are read from here, and sources are named relative to it. */
  readonly cwd: string;
  /** Calls the listener at each Ctrl-C; gives back what ends that. */
  onInterrupt(listener: () => void): () => void;
}

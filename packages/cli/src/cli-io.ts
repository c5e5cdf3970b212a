/** What the command touches of the world. `main.ts` hands it the process's own; tests hand it theirs. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths are read from here, and sources are named relative to it. */
  readonly cwd: string;
  /** Calls the listener for each Ctrl-C; gives back what ends that. */
  onInterrupt(listener: () => void): () => void;
}

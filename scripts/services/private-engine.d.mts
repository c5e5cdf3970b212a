export interface PrivateEngine {
  readonly url: string;
  readonly version: string;
  /** SIGKILL, to what the server has started as well; resolves once all are gone. */
  kill(): Promise<void>;
  /** Starts it again over the same data on the same port; resolves when it takes work. Rejects while it is running. */
  restart(): Promise<void>;
  /** Ends it and removes its data. Harmless when repeated or after `kill()`. */
  end(): Promise<void>;
}

/**
 * Starts a server of its own for one test, with the engine's durability on: what it has confirmed is on disk. Always a local server, from
 * the same packages as `pnpm services up`; rejects with the reason where there is none, as on machines that have only Docker.
 */
export function startPrivateEngine(name: string): Promise<PrivateEngine>;

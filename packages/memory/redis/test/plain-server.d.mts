export interface PlainServer {
  readonly port: number;
  readonly url: string;
  /** Ends it and removes its data. */
  end(): Promise<void>;
}

/**
 * Starts a local Redis without modules, and with these settings besides; rejects with the reason where there is none.
 */
export function startPlainServer(...settings: string[]): Promise<PlainServer>;
/** Why there is no local server; undefined where there is. */
export function noLocalServer(): string | undefined;
/** A port that nobody listens on. */
export function freePort(): Promise<number>;

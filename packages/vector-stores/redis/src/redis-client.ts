/** What a command takes. */
export type RedisArgument = string | Buffer | number;

/** Commands that are run in one go. */
export interface RedisTransaction {
  /** One pair a command; null when the server gave the transaction up. Rejects when a command was refused before any was run. */
  exec(): Promise<readonly (readonly [error: Error | null, result: unknown])[] | null>;
}

/** A `Redis` or `Cluster` of the package `ioredis`, 5 or 6, or anything of its shape. */
export interface RedisClient {
  readonly options?: { readonly keyPrefix?: string | undefined } | undefined;
  call(command: string, args: RedisArgument[]): Promise<unknown>;
  /** As `call`, with every text as a `Buffer`. */
  callBuffer(command: string, args: RedisArgument[]): Promise<unknown>;
  multi(commands: unknown[][]): RedisTransaction;
}

/** What a command takes. */
export type RedisMemoryArgument = string | number;

/** A `Redis` or `Cluster` of the package `ioredis`, 5 or 6, or anything of its shape. */
export interface RedisMemoryClient {
  readonly options?: { readonly keyPrefix?: string | undefined } | undefined;
  call(command: string, args: RedisMemoryArgument[]): Promise<unknown>;
  /** Of a cluster: the servers that hold keys, each of which is asked for its own. */
  nodes?(role: 'master'): readonly RedisMemoryClient[];
}

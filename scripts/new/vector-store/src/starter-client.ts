/** What the store uses of the driver and nothing more, so that users may bring the driver's own object or anything of its shape. */
export interface StarterClient {
  /** Rows of a statement, whose parameters are `values`. */
  run(statement: string, values: readonly unknown[]): Promise<readonly unknown[]>;
}

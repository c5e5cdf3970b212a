/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** What `create` gives. `close` is called when the case is over, whatever happened. */
export interface Subject<T> {
  readonly subject: T;
  close?(): Promise<void>;
}

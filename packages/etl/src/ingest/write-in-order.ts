/** What is done with a batch. */
export interface BatchWork<T> {
  write(batch: T): Promise<void>;
  /** Called in the order of the batches, when all before it landed, too. */
  landed(batch: T): Promise<void>;
}

/**
 * Writes batches, up to `concurrency` at a time, while the next one is made. Gives what the generator returns. After an error the generator
 * is closed and writes under way are waited for.
 */
export async function writeInOrder<T, R>(
  batches: AsyncGenerator<T, R>,
  concurrency: number,
  { write, landed }: BatchWork<T>,
): Promise<R> {
  const running: { readonly batch: T; readonly done: Promise<void> }[] = [];
  const roomFor = async (writes: number): Promise<void> => {
    while (running.length > writes) {
      const [first] = running;
      if (first === undefined) return;
      await first.done;
      running.shift();
      await landed(first.batch);
    }
  };
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done) {
        await roomFor(0);
        return next.value;
      }
      await roomFor(concurrency - 1);
      const done = write(next.value);
      // It is awaited in its turn; until then a rejection must not count as unhandled.
      done.catch(() => {});
      running.push({ batch: next.value, done });
    }
  } finally {
    await batches.return(undefined as R);
    await Promise.allSettled(running.map(({ done }) => done));
  }
}

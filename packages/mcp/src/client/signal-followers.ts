interface Followers {
  readonly all: Set<AbortController>;
  readonly tell: () => void;
}

const followers = new WeakMap<AbortSignal, Followers>();

/**
 * Aborts `own` with `signal`; what comes back ends that. All who follow a signal share one listener: Node.js warns of more than ten, and
 * the signal of an application may serve a hundred calls at once.
 */
export function follow(own: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    own.abort(signal.reason);
    return () => {};
  }
  const { all, tell } = followersOf(signal);
  all.add(own);
  return () => {
    if (!all.delete(own) || all.size > 0) return;
    followers.delete(signal);
    signal.removeEventListener('abort', tell);
  };
}

/** Runs with a signal of its own, which follows the caller's. */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return await run(undefined);
  const own = new AbortController();
  const done = follow(own, signal);
  try {
    return await run(own.signal);
  } finally {
    done();
  }
}

function followersOf(signal: AbortSignal): Followers {
  const known = followers.get(signal);
  if (known !== undefined) return known;
  const all = new Set<AbortController>();
  const tell = (): void => {
    followers.delete(signal);
    for (const one of all) one.abort(signal.reason);
  };
  signal.addEventListener('abort', tell, { once: true });
  const made = { all, tell };
  followers.set(signal, made);
  return made;
}

/** A place where a reply waits until the test lets it go on. Opened once, open for ever. */
export interface Gate {
  /** Resolves when the gate is opened. */
  readonly opened: Promise<void>;
  /** Resolves when a reply has come to the gate: everything before it was handed to the network. */
  readonly reached: Promise<void>;
  open(): void;
}

interface OwnGate extends Gate {
  reach(): void;
}

function isOwnGate(value: Gate): value is OwnGate {
  return 'reach' in value;
}

/** A closed gate, for `{ hold }` in a reply. */
export function gate(): Gate {
  let open = (): void => {};
  let reach = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const own: OwnGate = { opened, reached, open: () => open(), reach: () => reach() };
  return own;
}

/** Says that a reply has come to the gate, and waits for it. */
export function waitAt(at: Gate): Promise<void> {
  if (isOwnGate(at)) at.reach();
  return at.opened;
}

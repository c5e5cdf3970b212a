import { notDeclared } from '../kernel/suite-case.js';

interface Process {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

function isProcess(value: unknown): value is Process {
  return typeof value === 'object' && value !== null && 'on' in value && 'off' in value;
}

/** The reasons of rejections that nobody handled while `work` ran. Only Node tells. */
export async function unhandledRejections(work: () => Promise<void>): Promise<readonly unknown[]> {
  const process: unknown = Reflect.get(globalThis, 'process');
  if (!isProcess(process)) notDeclared('this runtime does not report unhandled rejections');
  const reasons: unknown[] = [];
  const listen = (reason: unknown): void => {
    reasons.push(reason);
  };
  process.on('unhandledRejection', listen);
  try {
    await work();
    // Node tells after the microtasks of a turn: two turns are enough.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  } finally {
    process.off('unhandledRejection', listen);
  }
  return reasons;
}

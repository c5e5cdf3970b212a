import { VernalError } from '@vernal/core';
import type { Deviation, SuiteOptions, SuiteReport } from '../../runner/suite-options.js';
import { SuiteFailure } from './assertions.js';
import { seededRandom } from './random.js';
import type { Awaitable, Subject } from './subject.js';
import type { SuiteCase } from './suite-case.js';
import { NotDeclared } from './suite-case.js';

const DEFAULT_SEED = 20_251_130;
const DEFAULT_TIMEOUT = 30_000;

type Outcome = SuiteReport['cases'][number];

export interface SuiteDefinition<Id extends string, S> {
  readonly suite: SuiteReport['suite'];
  readonly subject: string;
  readonly cases: readonly SuiteCase<Id, S>[];
  /** Cases that cannot be run here, with the reason. */
  readonly skipped?: readonly { readonly cases: readonly { readonly id: Id }[]; readonly reason: string }[];
  readonly create: (id: Id) => Awaitable<Subject<S>>;
  readonly options: SuiteOptions<Id>;
}

/** Rejects when the time is over; the timer does not outlive the work. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SuiteFailure(`not over after ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function checkDeviations<Id extends string>(deviations: readonly Deviation<Id>[], known: ReadonlySet<string>): void {
  for (const { case: id, reason } of deviations) {
    if (!known.has(id)) throw unknownCase('deviations', id);
    if (reason.trim() !== '') continue;
    throw new VernalError(`The deviation of '${id}' has no reason: say in a sentence what is done instead`, {
      code: 'invalid_argument',
      subject: 'deviations',
    });
  }
}

function unknownCase(subject: string, id: string): VernalError {
  return new VernalError(`The suite has no case '${id}': take the entry out, or correct its id`, {
    code: 'invalid_argument',
    subject,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Registers a suite with the runner: one test a case, deviations that must fail, and the report at the end. */
export function defineSuite<Id extends string, S>(definition: SuiteDefinition<Id, S>): void {
  const { suite, subject: name, skipped = [], create, options } = definition;
  const { runner, only, deviations = [], seed = DEFAULT_SEED, timeout = DEFAULT_TIMEOUT } = options;
  const ids: readonly string[] = [...definition.cases, ...skipped.flatMap((group) => group.cases)].map((one) => one.id);
  checkDeviations(deviations, new Set(ids));
  for (const start of only ?? []) {
    if (!definition.cases.some(({ id }) => id.startsWith(start))) throw unknownCase('only', start);
  }
  const cases = definition.cases.filter(({ id }) => only?.some((start) => id.startsWith(start)) ?? true);
  const outcomes = new Map<string, Outcome>();
  const record = (id: string, outcome: Outcome['outcome'], reason?: string): void => {
    outcomes.set(id, reason === undefined ? { id, outcome } : { id, outcome, reason });
  };

  const attempt = async (one: SuiteCase<Id, S>): Promise<void> => {
    const made = await create(one.id);
    try {
      await within(timeout, one.run(made.subject, seededRandom(seed)));
    } finally {
      await made.close?.();
    }
  };
  const play = async (one: SuiteCase<Id, S>): Promise<void> => {
    const deviation = deviations.find((entry) => entry.case === one.id);
    try {
      await attempt(one);
    } catch (error) {
      if (error instanceof NotDeclared) return record(one.id, 'not-declared', error.message);
      if (deviation !== undefined) return record(one.id, 'deviation', deviation.reason);
      record(one.id, 'fail', messageOf(error));
      throw new SuiteFailure(`${one.id} (seed ${seed}): ${messageOf(error)}`, { cause: error });
    }
    if (deviation === undefined) return record(one.id, 'pass');
    const reason = `passes, although it is listed as a deviation (${deviation.reason}): take the entry out`;
    record(one.id, 'fail', reason);
    throw new SuiteFailure(`${one.id}: ${reason}`);
  };

  runner.describe(`${suite}: ${name}`, () => {
    for (const one of cases) {
      // The suite's own limit comes first, so that a case that hangs is closed and reported.
      runner.it(`${one.id}: ${one.title}`, () => play(one), { timeout: timeout + 10_000 });
    }
    for (const { cases: names, reason } of skipped) {
      for (const { id } of names) record(id, 'not-declared', reason);
      runner.skip(`${names.length} cases: ${names.map(({ id }) => id).join(', ')}`, reason);
    }
    runner.afterAll(async () => {
      const inOrder = ids.flatMap((id) => outcomes.get(id) ?? []);
      await options.onReport?.({ suite, subject: name, seed, cases: inOrder });
    });
  });
}

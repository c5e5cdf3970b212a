import type { ChatMemoryRepository } from '@vernal/core';
import type { Awaitable, Subject } from '../kernel/subject.js';
import { appendTurns } from './append-turns.js';
import type { DurabilityStage, KillableEngine } from './durability-stage.js';

/** The stage of a server that is killed while this process writes to it through repositories that `connect` makes. */
export function engineStage(
  engine: KillableEngine,
  connect: () => Awaitable<Subject<ChatMemoryRepository>>,
): DurabilityStage {
  let isKilled = false;
  const opened: Subject<ChatMemoryRepository>[] = [];
  const open = async (): Promise<Subject<ChatMemoryRepository>> => {
    const subject = await connect();
    opened.push(subject);
    return subject;
  };
  return {
    async write(turns) {
      await appendTurns((await open()).subject, turns);
    },
    async kill() {
      isKilled = true;
      await engine.kill();
    },
    async open() {
      if (isKilled) await engine.restart();
      isKilled = false;
      return open();
    },
    async end() {
      // The server is gone for some of them.
      await Promise.allSettled(opened.map((subject) => subject.close?.()));
      await engine.end();
    },
  };
}

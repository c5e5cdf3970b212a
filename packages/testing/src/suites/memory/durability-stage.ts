import type { ChatMemoryRepository } from '@vernal/core';
import type { Subject } from '../kernel/subject.js';

/** Something that writes and can be killed: a server, or for an embedded engine the process that writes. */
export interface DurabilityStage {
  /**
   * Has turns appended by `appendTurns`, without end, under this conversation and name, and calls `stored` after each. Settles when the
   * writer cannot go on; then a writer in this process passes the error on.
   */
  write(turns: {
    readonly conversationId: string;
    readonly name: string;
    readonly stored: (turn: number) => void;
  }): Promise<void>;
  /** As the power cut would: SIGKILL. */
  kill(): Promise<void>;
  /** Starts what was killed over the same data, and gives a repository on it. */
  open(): Promise<Subject<ChatMemoryRepository>>;
  /** Ends everything and deletes the data. */
  end(): Promise<void>;
}

/** A server that a test has for itself and may kill. */
export interface KillableEngine {
  /** As the power cut would: SIGKILL. */
  kill(): Promise<void>;
  /** Over the same data, at the same address; resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it and deletes its data. */
  end(): Promise<void>;
}

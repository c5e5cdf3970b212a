import type { DocumentReader, Resource } from '@vernal/core';
import type { Awaitable, Subject } from '../kernel/subject.js';

/** An input, and what a reader must find in it. */
export interface ReaderSample {
  readonly name: string;
  readonly resource: Resource;
  /** All text that must be found, in order. */
  readonly text: readonly string[];
  readonly documents?: number | undefined;
  /** What the metadata of every document holds. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A broken input. */
export interface HostileSample {
  readonly name: string;
  readonly resource: Resource;
}

export interface ReaderStage {
  readonly samples: readonly ReaderSample[];
  readonly hostile: readonly HostileSample[];
  reader(resource: Resource): Promise<DocumentReader>;
}

export function readerStage(
  create: (resource: Resource) => Awaitable<Subject<DocumentReader>>,
  samples: readonly ReaderSample[],
  hostile: readonly HostileSample[],
): Subject<ReaderStage> {
  const made: Subject<DocumentReader>[] = [];
  return {
    subject: {
      samples,
      hostile,
      async reader(resource) {
        const subject = await create(resource);
        made.push(subject);
        return subject.subject;
      },
    },
    async close() {
      for (const subject of made) await subject.close?.();
    },
  };
}

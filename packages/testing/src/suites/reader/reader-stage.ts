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

/** Makes the reader under test. */
export type ReaderFactory = (resource: Resource) => Awaitable<Subject<DocumentReader>>;

export interface ReaderStage {
  readonly samples: readonly ReaderSample[];
  readonly hostile: readonly HostileSample[];
  reader(resource: Resource): Promise<DocumentReader>;
  /** With a small limit; undefined where the suite was given none. */
  readonly limitedReader: ((resource: Resource) => Promise<DocumentReader>) | undefined;
}

interface ReaderStageOptions {
  readonly create: ReaderFactory;
  readonly limited: ReaderFactory | undefined;
  readonly samples: readonly ReaderSample[];
  readonly hostile: readonly HostileSample[];
}

export function readerStage({ create, limited, samples, hostile }: ReaderStageOptions): Subject<ReaderStage> {
  const made: Subject<DocumentReader>[] = [];
  const opened = async (factory: ReaderFactory, resource: Resource): Promise<DocumentReader> => {
    const subject = await factory(resource);
    made.push(subject);
    return subject.subject;
  };
  return {
    subject: {
      samples,
      hostile,
      reader: (resource) => opened(create, resource),
      limitedReader: limited && ((resource) => opened(limited, resource)),
    },
    async close() {
      for (const subject of made) await subject.close?.();
    },
  };
}

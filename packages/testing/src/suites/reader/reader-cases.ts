import type { Document, DocumentReader, Resource } from '@vernal/core';
import { VernalError } from '@vernal/core';
import { check, checkEqual, rejectsWith, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ReaderSample, ReaderStage } from './reader-stage.js';

/** Stable: a report of today compares with one of last year. */
export type ReaderCaseId = `reader.${string}`;

async function streamed(reader: DocumentReader, signal?: AbortSignal): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const one of reader.stream(signal === undefined ? undefined : { signal })) documents.push(one);
  return documents;
}

/** Ids may be made anew each time. */
function content(documents: readonly Document[]): unknown {
  return documents.map(({ id: _, ...rest }) => rest);
}

const MOST_BYTES = 1_000_000;

/** Letters without end; it gives up by itself before it takes the process out of memory. */
function endless(): { readonly resource: Resource; isClosed(): boolean } {
  let open = 0;
  async function* stream(): AsyncGenerator<Uint8Array> {
    open++;
    try {
      for (let given = 0; given < 2 * MOST_BYTES; given += 5_000) yield new Uint8Array(5_000).fill(0x61);
      throw new Error('The limit was passed, and more was read');
    } finally {
      open--;
    }
  }
  const bytes = () => Promise.reject(new Error('What has a stream must be read by it'));
  return { resource: { filename: 'endless', bytes, stream }, isClosed: () => open === 0 };
}

function checkInOrder({ name, text }: ReaderSample, documents: readonly Document[]): void {
  const whole = documents.map((one) => one.text ?? '').join('\n');
  let from = 0;
  for (const wanted of text) {
    const at = whole.indexOf(wanted, from);
    check(at >= 0, `${name}: ${show(wanted)} must be found, after what comes before it`);
    from = at + wanted.length;
  }
}

function sampleCase(
  id: ReaderCaseId,
  title: string,
  run: (stage: ReaderStage, sample: ReaderSample) => Promise<void>,
): SuiteCase<ReaderCaseId, ReaderStage> {
  return {
    id,
    title,
    async run(stage) {
      for (const sample of stage.samples) await run(stage, sample);
    },
  };
}

export const readerCases: readonly SuiteCase<ReaderCaseId, ReaderStage>[] = [
  sampleCase('reader.text', 'all text is found, in its order', async (stage, sample) => {
    checkInOrder(sample, await (await stage.reader(sample.resource)).read());
  }),
  sampleCase('reader.documents', 'as many documents as the sample says', async (stage, sample) => {
    if (sample.documents === undefined) return;
    checkEqual(
      (await (await stage.reader(sample.resource)).read()).length,
      sample.documents,
      `documents of ${sample.name}`,
    );
  }),
  sampleCase('reader.metadata', 'metadata is JSON and holds what the sample says', async (stage, sample) => {
    for (const { metadata } of await (await stage.reader(sample.resource)).read()) {
      checkEqual(JSON.parse(JSON.stringify(metadata)), metadata, `metadata of ${sample.name} after JSON`);
      for (const [key, value] of Object.entries(sample.metadata ?? {}))
        checkEqual(metadata[key], value, `${key} of ${sample.name}`);
    }
  }),
  sampleCase(
    'reader.content',
    'a document has an id of its own, and text or media, not both',
    async (stage, { name, resource }) => {
      const documents = await (await stage.reader(resource)).read();
      checkEqual(new Set(documents.map((one) => one.id)).size, documents.length, `different ids in ${name}`);
      for (const one of documents) {
        check(one.id.trim() !== '', `ids in ${name} must not be blank`);
        check((one.text === undefined) !== (one.media === undefined), `a document of ${name} must have text or media`);
      }
    },
  ),
  sampleCase('reader.stream', 'stream() gives what read() gives', async (stage, { name, resource }) => {
    const whole = await (await stage.reader(resource)).read();
    checkEqual(content(await streamed(await stage.reader(resource))), content(whole), `streamed documents of ${name}`);
  }),
  sampleCase('reader.again', 'a reader can be read twice', async (stage, { name, resource }) => {
    const reader = await stage.reader(resource);
    checkEqual(content(await reader.read()), content(await reader.read()), `documents of ${name}`);
  }),
  sampleCase('reader.left', 'a stream can be left after its first document', async (stage, sample) => {
    const reader = await stage.reader(sample.resource);
    for await (const _ of reader.stream()) break;
    checkInOrder(sample, await reader.read());
  }),
  sampleCase('reader.abort', "a signal that has fired already gives 'aborted'", async (stage, { name, resource }) => {
    const reader = await stage.reader(resource);
    const signal = AbortSignal.abort();
    await rejectsWith(() => reader.read({ signal }), 'aborted', `read of ${name}`);
    await rejectsWith(() => streamed(reader, signal), 'aborted', `stream of ${name}`);
  }),
  {
    id: 'reader.hostile',
    title: 'a broken input gives documents or a typed error',
    async run(stage) {
      if (stage.hostile.length === 0) notDeclared('no broken inputs were given');
      for (const { name, resource } of stage.hostile) {
        try {
          const documents = await (await stage.reader(resource)).read();
          check(Array.isArray(documents), `${name} must give documents`);
        } catch (error) {
          check(VernalError.is(error), `${name} must give a VernalError, got ${show(error)}`);
        }
      }
    },
  },
  {
    id: 'reader.lost-resource',
    title: 'a resource that cannot be read is an error of its own',
    async run(stage) {
      const lost = new VernalError('The resource is gone', { code: 'resource', subject: 'lost' });
      const reader = await stage.reader({
        filename: 'lost.txt',
        bytes: async () => {
          throw lost;
        },
      });
      const error = await rejectsWith(() => reader.read(), 'resource', 'read of a lost resource');
      check(error === lost || error.cause === lost, 'the error of the resource must come through, or be the cause');
    },
  },
  {
    id: 'reader.not-bytes',
    title: 'a resource that gives no bytes is a typed error',
    async run(stage) {
      for (const wrong of ['text', undefined]) {
        const bytes = async () => wrong as unknown as Uint8Array;
        const reader = await stage.reader({ filename: 'a.txt', bytes });
        await rejectsWith(() => reader.read(), 'resource', `read of ${show(wrong)} in place of bytes`);
      }
    },
  },
  {
    id: 'reader.endless',
    title: 'a file that never ends is refused by the limit, and closed',
    async run({ limitedReader }) {
      if (limitedReader === undefined) notDeclared('no reader with a small limit was given');
      for (const run of [(reader: DocumentReader) => reader.read(), (reader: DocumentReader) => streamed(reader)]) {
        const { resource, isClosed } = endless();
        const reader = await limitedReader(resource);
        const error = await rejectsWith(() => run(reader), 'resource', 'reading of an endless file');
        checkEqual(error.details['reason'], 'too_large', 'reason');
        check(isClosed(), 'the stream must be closed when the error is there');
      }
    },
  },
];

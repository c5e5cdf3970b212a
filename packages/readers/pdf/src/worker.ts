import { safeCause } from '@vernal/core';
import { builtin, type Thread } from './engine/builtin.js';
import type { PdfHost } from './engine/pdf-host.js';
import { pdfParts } from './parts/pdf-parts.js';
import { PdfFailure } from './pdf-fault.js';
import type { PdfPart } from './pdf-job.js';
import { bufferWasRefused, limitBuffers } from './worker-limits.js';
import type { FromThread, ThreadData, ToThread } from './worker-messages.js';

// The file that a thread runs. Nothing is exported: who imports it elsewhere gets nothing.
const threads = builtin('node:worker_threads');
const data = threads?.workerData as Partial<ThreadData> | undefined;
if (threads?.parentPort && isOurs(data)) {
  // pdf.js may speak in spite of its settings; this thread has nothing to say on the console.
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined;
  limitBuffers(data.maxStreamBytes);
  serve(threads.parentPort, data.progress);
}

function isOurs(data: Partial<ThreadData> | undefined): data is ThreadData {
  return data?.role === 'vernal-pdf';
}

/** An answer takes more parts while it took no longer than this: short pages come together, long ones alone. */
const TOGETHER_MS = 20;
const MOST_TOGETHER = 8;

function serve(port: Omit<Thread, 'terminate'>, progress: ThreadData['progress']): void {
  let current = 0;
  let parts: AsyncGenerator<PdfPart> | undefined;
  /** Whoever waits for the first part gets it at once. */
  let isFirst = true;
  /** Answers are given one after the other. */
  let turn = Promise.resolve();
  const wait = waitUnlessStalled();

  // A damaged file makes promises fail that nobody waits for. Those that somebody waits for are told of elsewhere.
  process.on('unhandledRejection', () => undefined);

  async function answer(reading: number): Promise<FromThread> {
    const made: PdfPart[] = [];
    const latest = performance.now() + TOGETHER_MS;
    try {
      do {
        const next = await parts?.next();
        if (next === undefined || next.done === true) return { reading, parts: made, end: {} };
        made.push(next.value);
      } while (!isFirst && made.length < MOST_TOGETHER && performance.now() < latest);
      isFirst = false;
      return { reading, parts: made };
    } catch (error) {
      const { fault, cause } =
        error instanceof PdfFailure ? error : { fault: { reason: 'stopped' } as const, cause: error };
      return { reading, parts: made, end: { fault, cause: safeCause(cause) } };
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.kind === 'read') {
      current = message.reading;
      const { bytes, job } = message;
      isFirst = true;
      const begins = (page: number): void => {
        bufferWasRefused();
        Atomics.store(progress, 0, page);
        Atomics.add(progress, 1, 1);
      };
      begins(0);
      parts = pdfParts(bytes, job, { wait, begins, wasTooLarge: bufferWasRefused });
      return;
    }
    turn = turn.then(async () => {
      if (message.reading !== current) return;
      // Nothing else keeps this thread alive then, so that it is seen when the work comes to a stop.
      port.unref();
      const reply = await answer(message.reading);
      port.ref();
      port.postMessage(reply);
    });
  });
}

/** Fails what is waited for when nothing is left that could end the wait: damaged files make pdf.js forget to answer. */
function waitUnlessStalled(): PdfHost['wait'] {
  const waiting = new Set<(error: PdfFailure) => void>();
  process.on('beforeExit', () => {
    for (const fail of [...waiting]) fail(new PdfFailure({ reason: 'stopped' }));
  });
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
}

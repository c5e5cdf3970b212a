import type { CallContext } from '@vernal/core';
import { VernalError } from '@vernal/core';
import type { RetrievalAugmentationAdvisorOptions } from '@vernal/rag';
import { RetrievalAugmentationAdvisor, VectorStoreDocumentRetriever } from '@vernal/rag';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { answer, clientOf, FACES, faq } from './answering.js';

/** A part that aborts the call, or runs `then`, and then never answers. */
type Hanging = (...given: readonly unknown[]) => Promise<never>;

const steps: readonly (readonly [string, (hang: Hanging) => RetrievalAugmentationAdvisorOptions])[] = [
  ['transform', (hang) => ({ queryTransformers: [hang], documentRetriever: () => [faq] })],
  ['expand', (hang) => ({ queryExpander: hang, documentRetriever: () => [faq] })],
  ['retrieve', (hang) => ({ documentRetriever: hang })],
  ['retrieve', (hang) => ({ documentRetriever: [() => [faq], hang, () => [faq]] })],
  [
    'retrieve',
    (hang) => ({ documentRetriever: new VectorStoreDocumentRetriever({ vectorStore: { similaritySearch: hang } }) }),
  ],
  ['join', (hang) => ({ documentJoiner: hang, documentRetriever: () => [faq] })],
  ['post_process', (hang) => ({ documentPostProcessors: [hang], documentRetriever: () => [faq] })],
  ['augment', (hang) => ({ queryAugmenter: hang, documentRetriever: () => [faq] })],
];

function countListeners(signal: AbortSignal): () => number {
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<AbortSignal['addEventListener']>) => {
    listeners++;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<AbortSignal['removeEventListener']>) => {
    listeners--;
    removeEventListener.apply(signal, given);
  };
  return () => listeners;
}

describe.each(steps)('an abort in the step %s', (step, optionsOf) => {
  it.each(FACES)('ends the turn at once by %s, even if the part does not heed its signal', async (face) => {
    const controller = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    const hang: Hanging = (...given) => {
      seen.push((given.at(-1) as CallContext).signal);
      controller.abort();
      return new Promise(() => {});
    };
    const observationRegistry = new RecordingObservationRegistry();
    const lines: unknown[] = [];
    const logger = { debug() {}, info() {}, warn: (line: string) => void lines.push(line) };
    const advisor = new RetrievalAugmentationAdvisor({ ...optionsOf(hang), observationRegistry, logger });
    const model = new ScriptedChatModel([]);
    await expect(answer(clientOf(model, advisor).prompt('q').signal(controller.signal), face)).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(seen.map((signal) => signal?.aborted)).toEqual([true]);
    expect(lines).toEqual([]);
    observationRegistry.assertAllStopped();
    const cancelled = observationRegistry.observations.filter(({ events }) =>
      events.some(({ name }) => name === 'cancelled'),
    );
    expect(cancelled.map(({ data }) => data['step'])).toContain(step);
    expect(observationRegistry.observations.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('takes an abort that the part reports for one, not for a failure', async () => {
    const hang: Hanging = () => Promise.reject(new VernalError('over', { code: 'aborted' }));
    const advisor = new RetrievalAugmentationAdvisor(optionsOf(hang));
    await expect(clientOf(new ScriptedChatModel([]), advisor).prompt('q').call().content()).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('ends it when the reader of a stream leaves', async () => {
    let hang: Hanging = () => new Promise(() => {});
    const started = new Promise<AbortSignal | undefined>((resolve) => {
      hang = (...given) => {
        resolve((given.at(-1) as CallContext).signal);
        return new Promise(() => {});
      };
    });
    const advisor = new RetrievalAugmentationAdvisor(optionsOf(hang));
    const reader = clientOf(new ScriptedChatModel([]), advisor).prompt('q').stream().content()[Symbol.asyncIterator]();
    const first = reader.next().catch(() => undefined);
    const signal = await started;
    await reader.return?.();
    await first;
    expect(signal?.aborted).toBe(true);
  });
});

it('leaves no listener on the signal of the caller', async () => {
  const controller = new AbortController();
  const advisor = new RetrievalAugmentationAdvisor({
    queryTransformers: [(of) => of],
    queryExpander: (of) => [of, of],
    documentRetriever: [() => [faq], () => Promise.reject(new Error('down'))],
  });
  const before = countListeners(controller.signal);
  await clientOf(new ScriptedChatModel(['ok']), advisor)
    .prompt('q')
    .signal(controller.signal)
    .call()
    .content();
  expect(before()).toBe(0);
});

it('a time-out of the caller is a time-out, not a failure to be done without', async () => {
  const controller = new AbortController();
  const advisor = new RetrievalAugmentationAdvisor({
    queryTransformers: [
      () => {
        controller.abort(new DOMException('late', 'TimeoutError'));
        return new Promise(() => {});
      },
    ],
    documentRetriever: () => [faq],
  });
  const asked = clientOf(new ScriptedChatModel([]), advisor).prompt('q').signal(controller.signal).call().content();
  await expect(asked).rejects.toMatchObject({ code: 'timeout' });
});

it('a time-out of a part by itself is a failure that is done without', async () => {
  const advisor = new RetrievalAugmentationAdvisor({
    queryTransformers: [() => Promise.reject(new VernalError('slow', { code: 'timeout' }))],
    documentRetriever: () => [faq],
  });
  expect(
    await clientOf(new ScriptedChatModel(['ok']), advisor)
      .prompt('q')
      .call()
      .content(),
  ).toBe('ok');
});

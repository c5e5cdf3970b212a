import { RecordingObservationRegistry } from '@vernal/testing';
import { expect, it } from 'vitest';

it('records data, events, errors and explicit parents', () => {
  const registry = new RecordingObservationRegistry({ content: true });
  const outer = registry.start({ kind: 'chat_client', name: 'client', data: { stream: false } });
  const inner = registry.start({ kind: 'chat_model', name: 'm', parent: outer, data: { a: 1, b: 1 } });
  inner.add({ b: 2 });
  inner.event('first');
  inner.event('second', { n: 1 });
  const error = new Error('x');
  inner.error(error);
  inner.stop();
  expect(() => registry.assertAllStopped()).toThrow(/chat_client 'client' is still open/);
  outer.stop();
  registry.assertAllStopped();
  const [first, second] = registry.observations;
  expect([registry.enabled, registry.content, first?.parent]).toEqual([true, true, undefined]);
  expect(second).toMatchObject({ kind: 'chat_model', data: { a: 1, b: 2 }, error, stopped: true });
  expect(second?.events).toEqual([{ name: 'first' }, { name: 'second', data: { n: 1 } }]);
  expect(second?.parent).toBe(first);
});

it('takes the running observation as the parent, across awaits and side by side', async () => {
  const registry = new RecordingObservationRegistry();
  const work = async (name: string): Promise<void> => {
    const outer = registry.start({ kind: 'tool', name, data: {} });
    await outer.run(async () => {
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      registry.start({ kind: 'chat_model', name: `${name}-inner`, data: {} }).stop();
    });
    outer.stop();
  };
  await Promise.all([work('a'), work('b')]);
  registry.start({ kind: 'tool', name: 'after', data: {} }).stop();
  const parents = registry.observations.map((one) => [one.name, one.parent?.name]);
  expect(Object.fromEntries(parents)).toEqual({
    a: undefined,
    b: undefined,
    'a-inner': 'a',
    'b-inner': 'b',
    after: undefined,
  });
});

it('reports what was stopped twice or used after its stop', () => {
  const registry = new RecordingObservationRegistry();
  const one = registry.start({ kind: 'tool', name: 't', data: {} });
  one.stop();
  one.stop();
  one.add({ late: true });
  expect(() => registry.assertAllStopped()).toThrow(/tool 't': stop after stop; tool 't': add after stop/);
});

it('knows its own running observations only, whatever others run in between', async () => {
  const [one, two] = [new RecordingObservationRegistry(), new RecordingObservationRegistry()];
  const outer = one.start({ kind: 'tool', name: 'outer', data: {} });
  const other = two.start({ kind: 'tool', name: 'other', data: {} });
  await outer.run(() =>
    other.run(async () => {
      await Promise.resolve();
      one.start({ kind: 'tool', name: 'inner', data: {} }).stop();
      two.start({ kind: 'tool', name: 'inner', data: {} }).stop();
    }),
  );
  expect(one.observations.map(({ parent }) => parent?.name)).toEqual([undefined, 'outer']);
  expect(two.observations.map(({ parent }) => parent?.name)).toEqual([undefined, 'other']);
});

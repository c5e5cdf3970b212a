import type { TestRunner } from '@vernal/testing';
import { nodeTestRunner, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';

const body = async (): Promise<void> => {};

function register(runner: TestRunner): void {
  runner.describe('suite', () => {
    runner.it('plain', body);
    runner.it('slow', body, { timeout: 5 });
    runner.skip('left out', 'no server');
    runner.afterAll(body);
  });
}

it('vitestRunner hands on names, bodies and timeouts', () => {
  const calls: unknown[] = [];
  const record = (...parameters: unknown[]): unknown => calls.push(parameters);
  const { describe: _, ...rest } = {
    describe: record,
    it: Object.assign(record, { skip: (name: string) => calls.push(['skip', name]) }),
    afterAll: record,
  };
  register(vitestRunner({ ...rest, describe: (name, inside) => [calls.push(name), inside()] }));
  expect(calls).toEqual([
    'suite',
    ['plain', body, undefined],
    ['slow', body, 5],
    ['skip', 'skipped, no server: left out'],
    [body],
  ]);
});

it('nodeTestRunner hands on names, bodies, timeouts and reasons', () => {
  const calls: unknown[] = [];
  register(
    nodeTestRunner({
      describe: (name, inside) => [calls.push(name), inside()],
      it: (...parameters) => calls.push(parameters),
      after: (...parameters) => calls.push(parameters),
    }),
  );
  expect(calls).toEqual([
    'suite',
    ['plain', {}, body],
    ['slow', { timeout: 5 }, body],
    ['skipped, no server: left out', { skip: 'no server' }, expect.any(Function)],
    [body],
  ]);
});

describe('the modules themselves fit', () => {
  const ran: string[] = [];
  vitestRunner(vitest).it('vitest runs what is handed to it', async () => {
    ran.push('ran');
  });
  it('node:test has the same shape', async () => {
    expect(ran).toEqual(['ran']);
    const nodeTest = await import('node:test');
    expect(Object.keys(nodeTestRunner(nodeTest))).toEqual(['describe', 'it', 'skip', 'afterAll']);
  });
});

import { describe, expect, it } from 'vitest';
import { labOptions } from '../src/lab-options.js';

describe('the command line', () => {
  it('measures the half for tests unless it is told otherwise', () => {
    expect(labOptions([])).toMatchObject({ set: 'test', json: false });
    expect(labOptions(['--set', 'all', '--json'])).toMatchObject({ set: 'all', json: true });
    expect(labOptions(['--docs', 'a', '--questions', 'b'])).toMatchObject({ docs: 'a', questions: 'b' });
  });

  it.each([
    [['--dosc', 'x'], "options: Unknown option '--dosc'"],
    [['--set', 'tets'], "--set: must be 'dev', 'test' or 'all'"],
    [['--docs', 'x'], '--questions: is missing: documents and questions of your own are given together'],
    [['--questions', 'x'], '--docs: is missing: documents and questions of your own are given together'],
    [['--docs'], "options: Option '--docs <value>' argument missing"],
    [['x'], "options: Unexpected argument 'x'"],
  ])('says what is wrong with %j', (args, message) => {
    expect(() => labOptions(args)).toThrow(message);
  });
});

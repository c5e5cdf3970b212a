import * as mockServer from '@vernal/testing/mock-server';
import * as wires from '@vernal/testing/wires';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ExampleServer, exampleServer } from '../../../../scripts/example-server.mjs';
import { ON_SERVERS, readmeExamples } from '../../../../scripts/readme-examples.mjs';
import { ExampleFiles } from './example-files.js';

const examples = readmeExamples().filter(({ name }) => !ON_SERVERS.has(name));

let server: ExampleServer;
let files: ExampleFiles;
beforeAll(async () => {
  server = await exampleServer(mockServer, wires);
  files = new ExampleFiles('readmes');
  for (const { name, code } of examples) files.write(name, code);
});
afterAll(async () => {
  await server.close();
  files.remove();
});
beforeEach(() => {
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the example of every package's README", () => {
  it('exists', () => {
    expect(examples.length).toBeGreaterThanOrEqual(14);
  });

  // Some start an engine inside of the process, which takes its time on a machine that is busy.
  it.each(examples)('of $name runs and prints what it says', { timeout: 180_000 }, async ({ name, prints }) => {
    const printed = await files.run(name);
    expect(prints.length).toBeGreaterThan(0);
    for (const text of prints) expect(printed).toContain(text);
  });
});
